package schema

// An exclusion excuses the differences from the official schemas that begin with a match of pattern.
type exclusion struct{ pattern, reason string }

var exclusions = []exclusion{
	// Definitions that no message needs.
	{
		`\S+ (JSONRPC\w+|Request|Notification): we lack the definition`,
		"the envelope is checked by hand: the official definitions accept a null or fractional id and a response with result and error (OP-02)",
	}, {
		`\S+ (ClientResult|ServerResult): we lack the definition`,
		"a union of all results accepts every object (OP-03); results are checked by the method they answer",
	}, {
		`\S+ (BaseMetadata|Icons|ResourceContents|PaginatedRequest|PaginatedResult|ResourceRequestParams|TaskAugmentedRequestParams|InputResponseRequestParams|CacheableResult): we lack the definition`,
		"exists only for others to extend; its members are compared there",
	}, {
		`(2025-11-25|2026-07-28) (EnumSchema|SingleSelectEnumSchema|MultiSelectEnumSchema): we lack the definition`,
		"a part of PrimitiveSchemaDefinition that no message refers to",
	}, {
		`2026-07-28 ResultType: we lack the definition`,
		"each result has the constant it needs",
	}, {
		`2026-07-28 JSON(Value|Object|Array): we lack the definition`,
		"the official ones know neither null nor fractional numbers, schema.ts does (OP-04); any JSON value is accepted",
	},
	// Members that the official schema states elsewhere, or forgets.
	{
		`2026-07-28 \S*(apabilities|metadata)\S*/\*: we lack a schema for every member`,
		"JSONObject, whose members are JSONValue: see there",
	}, {
		`2025-(03-26|06-18) \w+/params/_meta: only we have the member`,
		"declared by the general Request and Notification and meant for all of them",
	}, {
		`2025-11-25 (GetTask|GetTaskPayload|CancelTask)Request/params/_meta: only we have the member`,
		"inlined params that forget what RequestParams declares",
	}, {
		`2025-11-25 ElicitationCompleteNotification/params/_meta: only we have the member`,
		"inlined params that forget what NotificationParams declares",
	}, {
		`2025-11-25 \S*_meta/io.modelcontextprotocol/related-task: only we have the member`,
		"stated on the page alone: basic/utilities/tasks#related-task-metadata",
	}, {
		`\S+ \S*ElicitResult/content/\*\S*: type is "boolean,integer,string", ours "boolean,number,string"`,
		"schema.ts has number (OP-04)",
	}, {
		`2025-(03-26|06-18) (Error|Meta): only we have the definition`,
		"the official schema repeats it inline, or for Meta has no use of it yet",
	},
	// Constraints that the official schema cannot or does not express.
	{
		`2026-07-28 \w+Result/resultType: (const is "", ours "complete"|type is "string", ours "")`,
		"the outcome of a request has resultType complete (basic/index#result-responses); other values are other results",
	}, {
		`2026-07-28 InputRequiredResult/resultType: const is "", ours "input_required"`,
		"an InputRequiredResult is known by it (basic/patterns/mrtr)",
	}, {
		`2026-07-28 InputRequiredResult\|scalar: only we have the choice`,
		"inputRequests or requestState must be there (basic/patterns/mrtr, OP-04)",
	},
	// The tasks extension, which has no official schema in the revision.
	{
		`2026-07-28 (CreateTaskResult|DetailedTask|Task|TaskIdRequestParams|TaskOutcome|TaskResult|TaskStatus|TaskStatusNotificationParams|UpdateTaskRequestParams): only we have the definition`,
		"tasks extension",
	}, {
		`2026-07-28 CallToolResultResponse: result "", ours "CreateTaskResult"`,
		"tasks extension",
	}, {
		`2026-07-28 ClientRequest: method tasks/(get|update|cancel) is listed: false, ours true`,
		"tasks extension",
	}, {
		`2026-07-28 ServerNotification: method notifications/tasks is listed: false, ours true`,
		"tasks extension",
	}, {
		`2026-07-28 \S*(SubscriptionFilter|notifications)/taskIds: only we have the member`,
		"tasks extension",
	},
}
