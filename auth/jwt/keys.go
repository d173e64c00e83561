package jwt

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// errNoKey says that the issuer has no key of that name for that algorithm.
var errNoKey = errors.New("the issuer has no such key")

// A snapshot is the set of keys as it was fetched.
type snapshot struct {
	keys []key
	at   time.Time
}

// keys are the keys of an issuer, fetched when they are needed. Fetches are bounded in number, whoever asks, and run one at a
// time.
type keys struct {
	options *Options // nil for keys that were given
	now     atomic.Pointer[snapshot]
	// turn is taken by who fetches; tried and failed belong to it.
	turn   chan struct{}
	tried  time.Time
	failed error
}

func newKeys(o *Options) *keys {
	own := *o
	return &keys{options: &own, turn: make(chan struct{}, 1)}
}

func givenKeys(document []byte) (*keys, error) {
	set, err := parseKeys(document)
	if err != nil {
		return nil, fmt.Errorf("jwt: Options.Keys: %w", err)
	}
	k := &keys{}
	k.now.Store(&snapshot{keys: set})
	return k, nil
}

// find returns the keys that may have signed a token. The error is errNoKey if there is none, or says why they are not known.
func (k *keys) find(ctx context.Context, kid, alg string) (jwt.VerificationKeySet, error) {
	have := k.now.Load()
	set := have.fitting(kid, alg)
	if k.options == nil || len(set.Keys) > 0 && time.Since(have.at) < k.options.MaxAge {
		return set, missing(set)
	}
	newer, err := k.refresh(ctx, have, len(set.Keys) == 0)
	if newer == nil {
		return set, err
	}
	set = newer.fitting(kid, alg)
	return set, missing(set)
}

func missing(set jwt.VerificationKeySet) error {
	if len(set.Keys) == 0 {
		return errNoKey
	}
	return nil
}

// refresh returns keys that are newer than have, if it may and can fetch any, or else have. It waits for others who fetch if
// urgent. The error says why there are none at all.
func (k *keys) refresh(ctx context.Context, have *snapshot, urgent bool) (*snapshot, error) {
	if !urgent {
		select {
		case k.turn <- struct{}{}:
		default:
			return have, nil // somebody is at it
		}
	} else {
		select {
		case k.turn <- struct{}{}:
		case <-ctx.Done():
			return have, ctx.Err()
		}
	}
	defer func() { <-k.turn }()
	if now := k.now.Load(); now != have || !k.tried.IsZero() && time.Since(k.tried) < k.pause() {
		return now, k.failed
	}
	k.tried = time.Now()
	set, err := k.fetch(context.WithoutCancel(ctx)) // one client that goes away does not spoil it for all
	if k.failed = err; err == nil {
		k.now.Store(&snapshot{keys: set, at: k.tried})
	}
	return k.now.Load(), k.failed
}

// pause is the least time until the next fetch.
func (k *keys) pause() time.Duration {
	const afterFailure = 5 * time.Second
	if k.failed != nil {
		return min(afterFailure, k.options.MinRefresh)
	}
	return k.options.MinRefresh
}

// maxDocument bounds a key set, in bytes.
const maxDocument = 512 << 10

func (k *keys) fetch(ctx context.Context) ([]key, error) {
	ctx, cancel := context.WithTimeout(ctx, k.options.FetchTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, k.options.KeysURL, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "application/jwk-set+json, application/json")
	response, err := k.options.Client.Do(request)
	if err != nil {
		return nil, fmt.Errorf("fetching keys: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("fetching keys from %s: status %s", k.options.KeysURL, response.Status)
	}
	document, err := io.ReadAll(io.LimitReader(response.Body, maxDocument+1))
	if err == nil && len(document) > maxDocument {
		err = fmt.Errorf("they have more than %d bytes", maxDocument)
	}
	var set []key
	if err == nil {
		set, err = parseKeys(document)
	}
	if err != nil {
		return nil, fmt.Errorf("keys from %s: %w", k.options.KeysURL, err)
	}
	return set, nil
}
