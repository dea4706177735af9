// The one request of the X-Resource extension that is needed, sent without libXRes: that library is optional, and a
// static executable cannot load one.
//
// CX11.h renames Xlib's types for Swift and cannot be included beside Xlib's internal header.
#include <X11/Xlibint.h>
#include <X11/extensions/XResproto.h>
#include <stdint.h>

int32_t cx_process_of_window(Display *display, XID window);

// Reads the values of an answer, which has `left` bytes more.
static int32_t read_process(Display *dpy, unsigned long count, unsigned long left) {
  int32_t process = 0;
  while (count-- && left >= sz_xResClientIdValue) {
    xXResClientIdValue value;
    _XRead(dpy, (char *)&value, sz_xResClientIdValue);
    left -= sz_xResClientIdValue;
    if (value.length > left)
      break;
    unsigned long rest = value.length;
    if ((value.spec.mask & X_XResLocalClientPIDMask) && rest >= 4) {
      CARD32 number;
      _XRead(dpy, (char *)&number, 4);
      rest -= 4;
      left -= 4;
      process = (int32_t)number;
    }
    _XEatData(dpy, rest);
    left -= rest;
  }
  _XEatData(dpy, left);
  return process;
}

int32_t cx_process_of_window(Display *dpy, XID window) {
  int opcode, event, error;
  if (!XQueryExtension(dpy, "X-Resource", &opcode, &event, &error))
    return 0;
  int32_t process = 0;
  LockDisplay(dpy);
  xXResQueryVersionReq *version;
  GetReq(XResQueryVersion, version);
  version->reqType = (CARD8)opcode;
  version->XResReqType = X_XResQueryVersion;
  version->client_major = 1;
  version->client_minor = 2;
  xXResQueryVersionReply known;
  int isKnown = _XReply(dpy, (xReply *)&known, 0, xTrue);
  if (isKnown && (known.server_major > 1 || (known.server_major == 1 && known.server_minor >= 2))) {
    xXResQueryClientIdsReq *request;
    GetReq(XResQueryClientIds, request);
    request->reqType = (CARD8)opcode;
    request->XResReqType = X_XResQueryClientIds;
    request->numSpecs = 1;
    request->length += sz_xXResClientIdSpec >> 2;
    xXResClientIdSpec spec = {.client = (CARD32)window, .mask = X_XResLocalClientPIDMask};
    Data(dpy, (char *)&spec, sz_xXResClientIdSpec);
    xXResQueryClientIdsReply reply;
    if (_XReply(dpy, (xReply *)&reply, 0, xFalse))
      process = read_process(dpy, reply.numIds, (unsigned long)reply.length << 2);
  }
  UnlockDisplay(dpy);
  SyncHandle();
  return process;
}
