/* Motif's text field: a line of fields between tabs is a command; see program.py. */

#include <Xm/Text.h>
#include <Xm/Xm.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static Widget top, text;
static XtAppContext application;
static char wanted[4096];
static XtIntervalId timer;

static void say(const char *line) {
  printf("%s\n", line);
  fflush(stdout);
}

static Bool is_stamp(Display *display, XEvent *event, XPointer window) {
  (void)display;
  return event->type == PropertyNotify && event->xproperty.window == *(Window *)window;
}

/* The server's time, as a key or a button would bring it. */
static Time server_time(void) {
  Display *display = XtDisplay(top);
  Window window = XtWindow(top);
  Atom name = XInternAtom(display, "_INTEROP_TIME", False);
  XEvent event;
  XWindowAttributes attributes;
  XGetWindowAttributes(display, window, &attributes);
  XSelectInput(display, window, attributes.your_event_mask | PropertyChangeMask);
  XChangeProperty(display, window, name, XA_INTEGER, 32, PropModeAppend, NULL, 0);
  XIfEvent(display, &event, is_stamp, (XPointer)&window);
  XSelectInput(display, window, attributes.your_event_mask);
  return event.xproperty.time;
}

static void finish(void) {
  char *value = XmTextGetString(text);
  FILE *file = fopen(wanted, "wb");
  if (!file) {
    say("{\"error\": \"cannot write\"}");
  } else {
    fwrite(value, 1, strlen(value), file);
    fclose(file);
    say("{\"ok\": true}");
  }
  wanted[0] = 0;
  XtFree(value);
}

static void changed(Widget widget, XtPointer closure, XtPointer data) {
  (void)widget, (void)closure, (void)data;
  if (!wanted[0]) return;
  XtRemoveTimeOut(timer);
  finish();
}

static void late(XtPointer closure, XtIntervalId *id) {
  (void)closure, (void)id;
  if (!wanted[0]) return;
  wanted[0] = 0;
  say("{\"error\": \"Motif pasted nothing within 20 s\"}");
}

static void handle(char *line) {
  char *fields[6] = {0};
  for (int number = 0; number < 6; number++) {
    fields[number] = line ? line : "";
    line = line ? strchr(line, '\t') : NULL;
    if (line) *line++ = 0;
  }
  Boolean primary = strcmp(fields[2], "PRIMARY") == 0;
  if (strcmp(fields[0], "copy") == 0) {
    FILE *file = fopen(fields[5], "rb");
    if (!file) {
      say("{\"error\": \"cannot read\"}");
      return;
    }
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *value = malloc(size + 1);
    value[fread(value, 1, size, file)] = 0;
    fclose(file);
    XmTextSetString(text, value);
    free(value);
    Time time = server_time();
    XmTextSetSelection(text, 0, XmTextGetLastPosition(text), time);
    Boolean done = primary || XmTextCopy(text, time);
    XSync(XtDisplay(top), False);
    say(done ? "{\"ok\": true}" : "{\"error\": \"XmTextCopy refuses\"}");
    return;
  }
  XmTextSetString(text, "");
  snprintf(wanted, sizeof wanted, "%s", fields[5]);
  timer = XtAppAddTimeOut(application, 20000, late, NULL);
  Boolean done = True;
  if (primary) {
    /* What its key for it does. */
    XEvent event = {.xkey = {.type = KeyPress, .display = XtDisplay(text), .window = XtWindow(text)}};
    event.xkey.time = server_time();
    XtCallActionProc(text, "copy-primary", &event, NULL, 0);
  } else {
    done = XmTextPaste(text);
  }
  if (!done && wanted[0]) {
    XtRemoveTimeOut(timer);
    wanted[0] = 0;
    say("{\"error\": \"Motif refuses to paste\"}");
  }
}

static void input(XtPointer closure, int *source, XtInputId *id) {
  static char buffer[65536];
  static size_t used;
  (void)closure, (void)id;
  ssize_t count = read(*source, buffer + used, sizeof buffer - used - 1);
  if (count <= 0) exit(0);
  used += count;
  buffer[used] = 0;
  char *end = strchr(buffer, '\n');
  if (!end) return;
  *end = 0;
  used = 0;
  handle(buffer);
}

int main(int count, char **words) {
  XtSetLanguageProc(NULL, NULL, NULL);
  top = XtVaAppInitialize(&application, "Peer", NULL, 0, &count, words, NULL, NULL);
  text = XtVaCreateManagedWidget(
      "text", xmTextWidgetClass, top, XmNeditMode, XmMULTI_LINE_EDIT, XmNrows, 10, XmNcolumns, 60, NULL);
  XtAddCallback(text, XmNvalueChangedCallback, changed, NULL);
  XtRealizeWidget(top);
  XtAppAddInput(application, 0, (XtPointer)XtInputReadMask, input, NULL);
  say("{\"ready\": true}");
  XtAppMainLoop(application);
}
