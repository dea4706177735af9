// SelectionFormats
