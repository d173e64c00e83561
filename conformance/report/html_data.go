package report

// htmlData is what the page's script shows on demand: every exchange, and what the requirements mean.
type htmlData struct {
	Verdicts     map[Verdict]htmlLabel      `json:"verdicts"`
	Results      []htmlResult               `json:"results"`
	Requirements map[string]htmlRequirement `json:"requirements"`
}

type htmlLabel struct {
	Heading string `json:"heading"`
	Mark    string `json:"mark"`
}

type htmlResult struct {
	Transcript string     `json:"transcript"`
	Story      string     `json:"story"`
	Revision   string     `json:"revision"`
	Transport  string     `json:"transport"`
	Verdict    Verdict    `json:"verdict"`
	Reason     string     `json:"reason"`
	Known      string     `json:"known"`
	Steps      []htmlStep `json:"steps"`
}

type htmlStep struct {
	Label        string   `json:"label"`
	Line         int      `json:"line"`
	Kind         string   `json:"kind"`
	Verdict      Verdict  `json:"verdict"`
	Requirements []string `json:"requirements,omitempty"`
	Problem      string   `json:"problem,omitempty"`
	Sent         string   `json:"sent,omitempty"`
	Received     string   `json:"received,omitempty"`
	Curl         string   `json:"curl,omitempty"`
}

type htmlRequirement struct {
	Text string `json:"text"`
	// At has an entry for each revision at which the requirement was tested.
	At map[string]htmlClause `json:"at"`
}

type htmlClause struct {
	Level string `json:"level"`
	URL   string `json:"url"`
}

func newHTMLData(r *Report, requirements Matrix, o Options) htmlData {
	data := htmlData{
		Verdicts: map[Verdict]htmlLabel{}, Results: []htmlResult{}, Requirements: map[string]htmlRequirement{},
	}
	for _, v := range Verdicts {
		data.Verdicts[v] = htmlLabel{heading[v], marks[v]}
	}
	for _, res := range sorted(r) {
		data.Results = append(data.Results, newHTMLResult(res))
	}
	for _, row := range requirements.Rows {
		text, _ := o.requirements().Describe(row.ID)
		known := htmlRequirement{Text: oneLine(text), At: map[string]htmlClause{}}
		for i, c := range requirements.Columns {
			if row.Cells[i].Verdict != "" {
				level := oneLine(o.requirements().Level(row.ID, c.Revision))
				known.At[oneLine(c.Revision)] = htmlClause{level, o.clause(row.ID, c.Revision)}
			}
		}
		data.Requirements[oneLine(row.ID)] = known
	}
	return data
}

func newHTMLResult(res *Result) htmlResult {
	out := htmlResult{
		Transcript: oneLine(res.Transcript), Story: oneLine(res.Story),
		Revision: oneLine(res.Revision), Transport: oneLine(res.Transport),
		Verdict: res.Verdict, Reason: visible(res.Reason), Known: oneLine(res.KnownReason),
		Steps: []htmlStep{},
	}
	for _, step := range res.Steps {
		s := htmlStep{
			Label: oneLine(step.Label), Line: step.Line, Kind: oneLine(step.Kind), Verdict: step.Verdict,
			Problem: visible(step.Problem), Sent: visible(step.Sent), Received: visible(step.Received), Curl: visible(step.Curl),
		}
		for _, id := range step.Requirements {
			s.Requirements = append(s.Requirements, oneLine(id))
		}
		out.Steps = append(out.Steps, s)
	}
	return out
}
