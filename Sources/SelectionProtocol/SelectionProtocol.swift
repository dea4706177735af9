// SelectionProtocol
