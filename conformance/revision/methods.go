package revision

// The requirements that lay down which methods a server may send, at each revision anew.
var (
	ServerRequests = []string{
		"schema.methods.server-requests.since-2025-03-26",
		"schema.methods.server-requests.since-2025-06-18",
		"schema.methods.server-requests.since-2025-11-25",
	}
	ServerNotifications = []string{
		"schema.methods.server-notifications.since-2025-03-26",
		"schema.methods.server-notifications.since-2025-11-25",
	}
)
