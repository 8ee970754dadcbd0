import { CodeBlock } from '@/components/ui/copy/code-block';
import { Button } from '@/components/ui/button';
import { Tabs } from '@/components/ui/tabs';
import { verifySnippets } from '@/components/webhooks/verify-snippets';
import { defaultMeanings } from '@/lib/contract/openapi';
import { EntryHeader } from './operation-view';
import type { Reference } from './model/reference';
import { Code, TextWithCode, Section, TextLink } from './prose';
import { KeyField } from './request/key-field';

interface GuideProps {
  reference: Reference;
  requestsPerMinute: number;
}

const exampleError = {
  errors: ['name: must not be empty'],
  fields: [{ field: 'name', message: 'must not be empty' }],
};

/** Rules that apply to every endpoint. */
export function GuideView({ reference, requestsPerMinute }: GuideProps) {
  const { baseUrl } = reference;
  return (
    <article className="max-w-3xl">
      <EntryHeader title="API reference">
        <p className="text-ink-2">
          Create streams, manage recordings and assets, and receive events. Requests and responses are JSON.
          Times are Unix milliseconds.
        </p>
        <div className="flex flex-wrap gap-3">
          <Button asChild>
            {/* oxlint-disable-next-line nextjs/no-html-link-for-pages -- a file, not a page */}
            <a href="/api/openapi.json">OpenAPI file</a>
          </Button>
          <Button asChild>
            {/* oxlint-disable-next-line nextjs/no-html-link-for-pages -- a file, not a page */}
            <a href="/llms-full.txt">Markdown file for AI</a>
          </Button>
        </div>
      </EntryHeader>
      <div className="grid grid-cols-1 gap-12">
        <Section title="Base URL">
          <CodeBlock label="Base URL" code={`${baseUrl}/api`} />
        </Section>
        <Authentication />
        <Errors />
        <Pagination baseUrl={baseUrl} />
        <Idempotency />
        <RateLimits requestsPerMinute={requestsPerMinute} />
        <Webhooks />
        <StudioApi baseUrl={baseUrl} />
      </div>
    </article>
  );
}

function Authentication() {
  return (
    <Section id="authentication" title="Authentication">
      <p>
        Send an API key with every request: <Code>Authorization: Bearer &lt;key&gt;</Code>. Create keys in{' '}
        <TextLink href="/developers/keys">Developers → API keys</TextLink>.
      </p>
      <ul className="grid list-disc gap-1.5 pl-5">
        <li>
          <strong className="font-medium">Backend keys</strong> work on servers. In a browser they are
          rejected with 403.
        </li>
        <li>
          <strong className="font-medium">CORS-enabled keys</strong> work in browsers, from the origins you
          allow. They can call only the endpoints that say so, unless they have full API access.
        </li>
        <li>
          Endpoints under <Code>/api/dashboard</Code> belong to the dashboard. They need a login, not a key.
        </li>
      </ul>
      <KeyField />
    </Section>
  );
}

function Errors() {
  return (
    <Section id="errors" title="Errors">
      <p>
        An error has a status of 400 or more and one or more messages. A message about a field starts with its
        name, and <Code>fields</Code> has the two apart, in the same order. Include the{' '}
        <Code>X-Request-Id</Code> response header when you ask the operator for help.
      </p>
      <CodeBlock label="Example error" code={JSON.stringify(exampleError, null, 2)} />
      <dl className="divide-y border-y">
        {Object.entries(defaultMeanings).map(([status, meaning]) => (
          <div key={status} className="flex gap-4 py-2">
            <dt className="w-8 shrink-0 font-mono text-sm">{status}</dt>
            <dd className="text-ink-2">
              <TextWithCode>{meaning}</TextWithCode>
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function Pagination({ baseUrl }: { baseUrl: string }) {
  return (
    <Section id="pagination" title="Pagination">
      <p>
        Lists take <Code>limit</Code>, 1 to 1,000 objects. If there are more, the <Code>Link</Code> response
        header has the URL of the next page: request it with the same key. Without <Code>limit</Code>, you get
        up to 10,000 objects.
      </p>
      <CodeBlock label="Link header" code={`Link: <${baseUrl}/api/stream?limit=20&cursor=…>; rel="next"`} />
      <p>
        <Code>order</Code> sorts, <Code>filters</Code> filters, and <Code>count</Code> adds the total in{' '}
        <Code>X-Total-Count</Code>. See <TextLink href="/docs/listStreams">List streams</TextLink>.
      </p>
    </Section>
  );
}

function Idempotency() {
  return (
    <Section id="idempotency" title="Idempotency">
      <p>
        Send an <Code>Idempotency-Key</Code> header with a POST request to make it safe to retry. Use a new
        random value for each operation, for example a UUID.
      </p>
      <ul className="grid list-disc gap-1.5 pl-5">
        <li>
          For 24 hours, the same key and request return the same response, with{' '}
          <Code>Idempotency-Replayed: true</Code>.
        </li>
        <li>409 means that the first request is still running. Retry later.</li>
        <li>422 means that the key was used for a different request.</li>
        <li>A request that fails releases its key.</li>
      </ul>
    </Section>
  );
}

function RateLimits({ requestsPerMinute }: { requestsPerMinute: number }) {
  return (
    <Section id="rate-limits" title="Rate limits">
      <p>
        {`Each API key can send ${requestsPerMinute.toLocaleString('en')} requests a minute. `}
        The response headers <Code>RateLimit-Limit</Code>, <Code>RateLimit-Remaining</Code> and{' '}
        <Code>RateLimit-Reset</Code> (seconds) show how many are left. Over the limit, requests return 429
        with <Code>Retry-After</Code>. Wait that many seconds before you retry.
      </p>
    </Section>
  );
}

function Webhooks() {
  return (
    <Section id="webhooks" title="Webhooks">
      <p>
        A webhook sends events to your server with POST. Create one in{' '}
        <TextLink href="/developers/webhooks">Developers → Webhooks</TextLink> or with{' '}
        <TextLink href="/docs/createWebhook">POST /api/webhook</TextLink>. Each event has a page with a sample
        payload, for example <TextLink href="/docs/stream.started">stream.started</TextLink>.
      </p>
      <ul className="grid list-disc gap-1.5 pl-5">
        <li>Respond with any 2xx status within 15 seconds. Do your work afterwards.</li>
        <li>
          A failed delivery is retried for 15 minutes, twelve attempts in all. A 410 turns the webhook off.
        </li>
        <li>
          Deliveries can repeat and arrive out of order. Store the <Code>id</Code> of events you have handled,
          and compare <Code>sequence</Code> within a stream.
        </li>
        <li>
          Verify the signature before you parse the body. It follows{' '}
          <a
            href="https://www.standardwebhooks.com"
            rel="noreferrer"
            className="text-accent-ink rounded-sm font-medium underline underline-offset-4"
          >
            Standard Webhooks
          </a>
          .
        </li>
      </ul>
      <Tabs
        label="Verify the signature"
        tabs={verifySnippets.map(({ value, label, code }) => ({
          value,
          label,
          content: <CodeBlock label={`${label} verification code`} code={code} />,
        }))}
      />
    </Section>
  );
}

function StudioApi({ baseUrl }: { baseUrl: string }) {
  return (
    <Section id="studio-api" title="Studio API">
      <p>
        Code written for the Studio API works with a different server URL. For example, with the npm package{' '}
        <Code>livepeer</Code>:
      </p>
      <CodeBlock
        label="SDK setup"
        code={[
          "import { Livepeer } from 'livepeer';",
          '',
          'const livepeer = new Livepeer({',
          `  serverURL: '${baseUrl}/api/studio',`,
          '  apiKey: process.env.HEADWATER_API_KEY,',
          '});',
          "const { stream } = await livepeer.stream.create({ name: 'Town hall' });",
        ].join('\n')}
      />
    </Section>
  );
}
