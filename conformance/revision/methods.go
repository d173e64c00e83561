package revision

// The requirements that lay down which methods a server, and a client, may send, at each revision anew.
var (
	ClientRequests = []string{
		"schema.methods.client-requests.since-2025-03-26",
		"schema.methods.client-requests.since-2025-11-25",
	}
	ClientNotifications = []string{
		"schema.methods.client-notifications.since-2025-03-26",
		"schema.methods.client-notifications.since-2025-11-25",
	}
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
