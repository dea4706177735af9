"""One driver a program: how a person, or the program's own scripting, copies and pastes with it."""
