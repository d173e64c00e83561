package protocol

import "github.com/go-json-experiment/json/jsontext"

// A SubscriptionFilter names the changes that a subscription is about.
type SubscriptionFilter struct {
	ToolsListChanged, PromptsListChanged, ResourcesListChanged bool
	// Resources are the URIs of resources.
	Resources []string
	// Tasks are the ids of tasks.
	Tasks []string
}

// ListenParams open a subscription.
type ListenParams struct{ Filter SubscriptionFilter }

// ListenResult ends a subscription that the server closes. ID is the id of the request that opened it.
type ListenResult struct {
	ResultBase
	ID jsontext.Value
}

// SubscriptionsAcknowledgedNotification opens a subscription's stream and says which part of the filter is honoured.
type SubscriptionsAcknowledgedNotification struct {
	NotificationBase
	Filter SubscriptionFilter
}

func (*ListenParams) params() {}

// Method returns NotificationSubscriptionsAcknowledged.
func (*SubscriptionsAcknowledgedNotification) Method() string {
	return NotificationSubscriptionsAcknowledged
}
