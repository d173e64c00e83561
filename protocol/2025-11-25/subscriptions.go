package rev20251125

// This revision announces changes within a session: see resources.go for resources/subscribe. It has no subscriptions/listen.
