// XlibTransport
