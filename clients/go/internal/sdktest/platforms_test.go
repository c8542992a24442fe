// SPDX-License-Identifier: Apache-2.0

package sdktest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/bedrock"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/anthropics/anthropic-sdk-go/vertex"
	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	turnkeeper "github.com/turnkeeper/turnkeeper/clients/go"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/google"
)

// The SDK's packages for Amazon Bedrock and Vertex AI.

const (
	region  = "us-east-1"
	onBR    = "us.anthropic.claude-sonnet-4-5-20250929-v1:0"
	profile = "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/a1b2c3"
)

// A platform makes the options of a client of the SDK; guard is nil for one without turnkeeper.
type platform func(guard *turnkeeper.Transport) []option.RequestOption

func eachFormOn(t *testing.T, on platform, play func(t *testing.T, s *scene, told *bytes.Buffer)) {
	t.Setenv("AWS_BEARER_TOKEN_BEDROCK", "")
	words := catalogue(t)
	client := keeper(t)
	for _, form := range forms {
		t.Run(form.name, func(t *testing.T) {
			s := &scene{provider: &Provider{Words: words}, streaming: form.streaming}
			server := httptest.NewServer(s.provider)
			t.Cleanup(server.Close)
			told := &bytes.Buffer{}
			s.guard = turnkeeper.NewTransport(client, turnkeeper.FailClosed)
			s.guard.ErrorLog = log.New(told, "", 0)
			here := option.WithBaseURL(server.URL)
			s.without = anthropic.NewClient(append(on(nil), here)...)
			s.with = anthropic.NewClient(append(on(s.guard), here)...)
			play(t, s, told)
		})
	}
}

// below is the guard at the place of the HTTP client.
func below(guard *turnkeeper.Transport) option.RequestOption {
	if guard == nil {
		return option.WithHTTPClient(&http.Client{})
	}
	return option.WithHTTPClient(&http.Client{Transport: guard})
}

func withToken(guard *turnkeeper.Transport) []option.RequestOption {
	token := bedrock.NewStaticBearerTokenProvider("token")
	return []option.RequestOption{below(guard), bedrock.WithConfig(aws.Config{Region: region, BearerAuthTokenProvider: token})}
}

var keys = aws.Credentials{AccessKeyID: "AKIDEXAMPLE", SecretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"}

func awsKeys() aws.Config {
	provider := aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) { return keys, nil })
	return aws.Config{Region: region, Credentials: provider}
}

func signedAbove(guard *turnkeeper.Transport) []option.RequestOption {
	return []option.RequestOption{below(guard), bedrock.WithConfig(awsKeys())}
}

// signedBelow has the guard as a middleware before the one that signs, as the README shows.
func signedBelow(guard *turnkeeper.Transport) []option.RequestOption {
	if guard == nil {
		return signedAbove(nil)
	}
	guard.Params = &turnkeeper.Params{Target: &turnkeeper.Target{Endpoint: "bedrock"}}
	return []option.RequestOption{option.WithMiddleware(guard.Middleware), bedrock.WithConfig(awsKeys())}
}

func onVertex(guard *turnkeeper.Transport) []option.RequestOption {
	token := oauth2.StaticTokenSource(&oauth2.Token{AccessToken: "token"})
	credentials := &google.Credentials{TokenSource: token}
	return []option.RequestOption{below(guard), vertex.WithCredentials(context.Background(), "us-east5", "p", credentials)}
}

func (s *scene) askFor(c anthropic.Client, model string, messages ...anthropic.MessageParam) (*anthropic.Message, error) {
	model, s.model = s.model, model
	defer func() { s.model = model }()
	return s.ask(c, messages...)
}

func (s *scene) stuckGoesOn(t *testing.T, model string) {
	t.Helper()
	stuck := []anthropic.MessageParam{user("q"), crashed(), user("go on")}
	_, err := s.askFor(s.without, model, stuck...)
	s.refused(t, err, "provider_executed_call_without_result")
	m, err := s.askFor(s.with, model, stuck...)
	if got := said(t, m, err); got != "ok" {
		t.Fatal(got)
	}
	seen := s.provider.Seen()
	if sent := seen[len(seen)-1]; strings.Contains(sent, "srvtoolu_7") || !strings.Contains(sent, "anthropic_version") {
		t.Fatal(sent)
	}
}

// Streams are for the SDK to read as Bedrock sends them; the log says once that they pass.
func TestBedrock(t *testing.T) {
	eachFormOn(t, withToken, func(t *testing.T, s *scene, told *bytes.Buffer) {
		for _, model := range []string{onBR, profile} {
			s.stuckGoesOn(t, model)
		}
		if got := strings.Count(told.String(), "pass as they come"); got != map[bool]int{true: 1}[s.streaming] {
			t.Fatalf("%d: %s", got, told)
		}
	})
}

func TestBedrockHasItsOwnRules(t *testing.T) {
	eachFormOn(t, withToken, func(t *testing.T, s *scene, _ *bytes.Buffer) {
		document := anthropic.NewDocumentBlock(anthropic.PlainTextSourceParam{Data: "x"})
		document.OfDocument.Title = anthropic.String("pass_(2).txt")
		_, err := s.askFor(s.with, onBR, anthropic.NewUserMessage(document, anthropic.NewTextBlock("q")))
		check(t, err)
		if sent := s.provider.Seen()[0]; strings.Contains(sent, "pass_(2).txt") {
			t.Fatal(sent) // a title that Bedrock refuses
		}
	})
}

func TestBedrockSignedAboveTheGuard(t *testing.T) {
	eachFormOn(t, signedAbove, func(t *testing.T, s *scene, _ *bytes.Buffer) {
		m, err := s.askFor(s.with, onBR, user("q"))
		if got := said(t, m, err); got != "ok" {
			t.Fatal(got)
		}
		s.isSigned(t)
		s.guard.RefuseWithResponse = true
		_, err = s.askFor(s.with, onBR, user("q"), crashed(), user("go on"))
		var no *anthropic.Error
		if !errors.As(err, &no) || !strings.Contains(no.RawJSON(), "binds the body") || len(s.provider.Seen()) != 1 {
			t.Fatal(err)
		}
	})
}

// The guard repairs what will be signed, and pairs streams, which are SSE above the SDK's own layer.
func TestBedrockSignedBelowTheGuard(t *testing.T) {
	eachFormOn(t, signedBelow, func(t *testing.T, s *scene, told *bytes.Buffer) {
		s.stuckGoesOn(t, onBR)
		s.isSigned(t)
		stored, err := s.askFor(s.without, onBR, user("orphan"))
		if check(t, err); len(stored.Content) != 3 {
			t.Fatalf("%+v", stored)
		}
		_, err = s.askFor(s.with, onBR, user("orphan"))
		if s.streaming != (err != nil) {
			t.Fatal(err)
		}
		if told.Len() > 0 {
			t.Fatal(told)
		}
	})
}

// isSigned checks that the signature of the last request is that of the bytes that arrived.
func (s *scene) isSigned(t *testing.T) {
	t.Helper()
	seen, last := s.provider.Seen(), s.provider.Last()
	body := seen[len(seen)-1]
	found := regexp.MustCompile(`SignedHeaders=([^,]+), Signature=`).FindStringSubmatch(last.Header.Get("Authorization"))
	if found == nil {
		t.Fatal("not signed")
	}
	again, err := http.NewRequest(http.MethodPost, "http://"+last.Host+last.URL.EscapedPath(), strings.NewReader(body))
	check(t, err)
	for _, name := range strings.Split(found[1], ";") {
		if value := last.Header.Get(name); value != "" {
			again.Header.Set(name, value)
		}
	}
	at, err := time.Parse("20060102T150405Z", last.Header.Get("X-Amz-Date"))
	check(t, err)
	sum := sha256.Sum256([]byte(body))
	check(t, v4.NewSigner().SignHTTP(context.Background(), keys, again, hex.EncodeToString(sum[:]), "bedrock", region, at))
	if want, got := again.Header.Get("Authorization"), last.Header.Get("Authorization"); want != got {
		t.Fatalf("want %s\ngot  %s", want, got)
	}
}

func TestVertex(t *testing.T) {
	eachFormOn(t, onVertex, func(t *testing.T, s *scene, told *bytes.Buffer) {
		s.stuckGoesOn(t, "claude-sonnet-4-5@20250929")
		_, err := s.askFor(s.with, "claude-sonnet-4-5@20250929", user("orphan"))
		if s.streaming != (err != nil) || told.Len() > 0 { // streams are paired
			t.Fatal(err, told)
		}
	})
}

func TestVertexCountsTokens(t *testing.T) {
	eachFormOn(t, onVertex, func(t *testing.T, s *scene, _ *bytes.Buffer) {
		params := anthropic.MessageCountTokensParams{Model: "claude-sonnet-4-5@20250929",
			Messages: []anthropic.MessageParam{user("q"), crashed(), user("go on")}}
		_, err := s.without.Messages.CountTokens(context.Background(), params)
		s.refused(t, err, "provider_executed_call_without_result")
		count, err := s.with.Messages.CountTokens(context.Background(), params)
		if check(t, err); count.InputTokens == 0 {
			t.Fatal("nothing was counted")
		}
	})
}

// Beta values are where the platform takes them.
func TestPlatformsHaveTheirPlaceForBetas(t *testing.T) {
	tools := []anthropic.BetaToolUnionParam{{OfComputerUseTool20250124: &anthropic.BetaToolComputerUse20250124Param{
		DisplayWidthPx: 1, DisplayHeightPx: 1}}}
	ask := func(c anthropic.Client, betas ...anthropic.AnthropicBeta) error {
		_, err := c.Beta.Messages.New(context.Background(), anthropic.BetaMessageNewParams{Model: onBR, MaxTokens: 64,
			Tools: tools, Betas: betas, Messages: []anthropic.BetaMessageParam{
				anthropic.NewBetaUserMessage(anthropic.NewBetaTextBlock("q"))}})
		return err
	}
	for name, on := range map[string]platform{"token": withToken, "signed": signedBelow, "Vertex": onVertex} {
		t.Run(name, func(t *testing.T) {
			eachFormOn(t, on, func(t *testing.T, s *scene, _ *bytes.Buffer) {
				check(t, ask(s.with))
				check(t, ask(s.with, "files-api-2025-04-14"))
				seen := s.provider.Seen()
				body, header := seen[1], strings.Join(s.provider.Last().Header.Values("Anthropic-Beta"), ",")
				if name == "Vertex" {
					if header != "files-api-2025-04-14,computer-use-2025-01-24" || strings.Contains(body, "anthropic_beta") {
						t.Fatal(header, body)
					}
					return
				}
				for i, want := range []string{`["computer-use-2025-01-24"]`, `["files-api-2025-04-14","computer-use-2025-01-24"]`} {
					if !strings.Contains(seen[i], `"anthropic_beta":`+want) {
						t.Fatal(seen[i])
					}
				}
			})
		})
	}
}
