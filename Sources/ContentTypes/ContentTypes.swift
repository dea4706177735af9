// ContentTypes
