// A conversion, and who owns the selection at that moment: three requests, one round trip.
//
// CX11.h renames Xlib's types for Swift; here they have been declared under their own names.
#include <X11/Xlibint.h>
typedef Window XWindowNumber;
typedef Atom XAtomNumber;

#include "CX11.h"

typedef struct {
  uint64_t serial;
  XID owner;
} earlier_answer;

// Called by Xlib for each answer that comes before the one it waits for.
static Bool take_owner(Display *dpy, xReply *answer, char *buffer, int length, XPointer data) {
  earlier_answer *earlier = (earlier_answer *)data;
  if (X_DPY_GET_LAST_REQUEST_READ(dpy) != earlier->serial)
    return False;
  if (answer->generic.type == X_Error)
    return False;
  xGetSelectionOwnerReply space;
  xGetSelectionOwnerReply *reply = (xGetSelectionOwnerReply *)_XGetAsyncReply(
      dpy, (char *)&space, answer, buffer, length, (SIZEOF(xGetSelectionOwnerReply) - SIZEOF(xReply)) >> 2, True);
  earlier->owner = reply->owner;
  return True;
}

cx_owners cx_convert(Display *dpy, XID selection, XID target, XID property, XID requestor, uint32_t time) {
  cx_owners owners = {0, 0};
  LockDisplay(dpy);
  xResourceReq *question;
  GetResReq(GetSelectionOwner, selection, question);
  earlier_answer earlier = {.serial = X_DPY_GET_REQUEST(dpy)};
  _XAsyncHandler handler = {
      .next = dpy->async_handlers,
      .handler = take_owner,
      .data = (XPointer)&earlier,
  };
  dpy->async_handlers = &handler;
  xConvertSelectionReq *request;
  GetReq(ConvertSelection, request);
  request->requestor = (CARD32)requestor;
  request->selection = (CARD32)selection;
  request->target = (CARD32)target;
  request->property = (CARD32)property;
  request->time = time;
  GetResReq(GetSelectionOwner, selection, question);
  xGetSelectionOwnerReply reply;
  if (_XReply(dpy, (xReply *)&reply, 0, xTrue))
    owners.after = reply.owner;
  DeqAsyncHandler(dpy, &handler);
  owners.before = earlier.owner;
  UnlockDisplay(dpy);
  SyncHandle();
  return owners;
}
