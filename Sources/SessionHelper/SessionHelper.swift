// SessionHelper
