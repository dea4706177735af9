// CoreTransferable
