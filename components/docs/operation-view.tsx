import type { ReactNode } from 'react';
import { CodeBlock } from '@/components/ui/copy/code-block';
import { CopyButton } from '@/components/ui/copy/copy-button';
import { FieldList, CollapsibleFieldList } from './field-list';
import { MethodBadge } from './method-badge';
import type { Field } from './model/fields';
import { eventMarkdown, operationMarkdown } from './model/operation-markdown';
import type { Operation, SuccessResponse, WebhookEvent } from './model/reference';
import { TextWithCode, Section, TextLink } from './prose';
import { RequestPanel } from './request/request-panel';
import { createCall } from './samples/sample-request';

/** Text on the left and code on the right, stacked on narrow pages. */
function TwoColumns({ text, code }: { text: ReactNode; code: ReactNode }) {
  return (
    <div className="grid grid-cols-1 gap-x-10 gap-y-8 @min-[48rem]:grid-cols-2">
      <div className="grid min-w-0 grid-cols-1 content-start gap-8">{text}</div>
      <div id="request" className="grid min-w-0 scroll-mt-20 grid-cols-1 content-start gap-6">
        {code}
      </div>
    </div>
  );
}

export function EntryHeader({ title, children }: { title: string; children: ReactNode }) {
  return (
    <header className="mb-8 grid grid-cols-1 gap-3">
      <h1 className="text-2xl font-semibold tracking-tight wrap-anywhere">{title}</h1>
      {children}
    </header>
  );
}

/** Page of one operation: its fields and errors, code samples, and a form that sends the request. */
export function OperationView({ operation, baseUrl }: { operation: Operation; baseUrl: string }) {
  const { title, method, path, description } = operation;
  return (
    <article className="@container">
      <EntryHeader title={title}>
        <div className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
          <MethodBadge method={method} />
          <code className="min-w-0 font-mono text-sm wrap-anywhere">{path}</code>
          <CopyButton value={path} label="Copy path" />
          <CopyForAiButton markdown={operationMarkdown(operation, baseUrl)} />
          <a
            href="#request"
            className="text-accent-ink shrink-0 rounded-sm text-sm font-medium underline underline-offset-4 @min-[48rem]:hidden"
          >
            Try it
          </a>
        </div>
        <p className="text-ink-2 max-w-prose">
          <TextWithCode>{description}</TextWithCode>
        </p>
      </EntryHeader>
      <TwoColumns
        text={<OperationText operation={operation} />}
        code={
          <>
            <RequestPanel key={operation.id} call={createCall(operation)} />
            <ResponseExample response={operation.response} />
          </>
        }
      />
    </article>
  );
}

/** Copies the page as Markdown, to paste into a language model. */
export const CopyForAiButton = ({ markdown }: { markdown: string }) => (
  <CopyButton
    value={markdown}
    label="Copy this page as Markdown"
    text="Copy for AI"
    className="ml-auto shrink-0"
  />
);

function OperationText({ operation }: { operation: Operation }) {
  const { access, pathParameters, queryParameters, headers, body, response, errors } = operation;
  return (
    <>
      {access === 'session' && (
        <p className="text-ink-2">
          Only the dashboard can call this endpoint: it needs a login, not an API key.
        </p>
      )}
      <Parameters title="Path parameters" fields={pathParameters} />
      <Parameters title="Query parameters" fields={queryParameters} />
      {body && <Parameters title="Body" fields={body.fields} />}
      <Parameters title="Headers" fields={headers} />
      <Section title={`Response ${response.status}`}>
        <ResponseText response={response} />
      </Section>
      <Section title="Errors">
        <dl className="divide-y border-y">
          {errors.map(({ status, meaning }) => (
            <div key={status} className="flex gap-4 py-2">
              <dt className="w-8 shrink-0 font-mono text-sm">{status}</dt>
              <dd className="text-ink-2">
                <TextWithCode>{meaning}</TextWithCode>
              </dd>
            </div>
          ))}
        </dl>
        <p className="text-ink-3 text-sm">
          The body of every error is described in <TextLink href="/docs#errors">Errors</TextLink>.
        </p>
      </Section>
    </>
  );
}

function Parameters({ title, fields }: { title: string; fields: readonly Field[] }) {
  if (fields.length === 0) return null;
  return (
    <Section title={title}>
      <FieldList label={title} fields={fields} mark="required" />
    </Section>
  );
}

function ResponseText({ response: { type, fields, headers } }: { response: SuccessResponse }) {
  if (type === null) return <p className="text-ink-2">No body.</p>;
  return (
    <>
      <p className="text-ink-2">{`Returns: ${type}.`}</p>
      {fields.length > 0 && <CollapsibleFieldList label="Response fields" fields={fields} mark="optional" />}
      {headers.length > 0 && <CollapsibleFieldList label="Response headers" fields={headers} mark="none" />}
    </>
  );
}

function ResponseExample({ response: { example } }: { response: SuccessResponse }) {
  if (example === null) return null;
  return (
    <Section title="Example response">
      <CodeBlock label="Example response" code={example} className="max-h-[30rem] overflow-y-auto" />
    </Section>
  );
}

/** Request that a webhook receives for an event. */
export function EventView({ event }: { event: WebhookEvent }) {
  return (
    <article className="@container">
      <EntryHeader title={event.title}>
        <CopyForAiButton markdown={eventMarkdown(event)} />
        <p className="text-ink-2 max-w-prose">
          <TextWithCode>{event.description}</TextWithCode>
        </p>
      </EntryHeader>
      <TwoColumns
        text={
          <>
            <Section title="Body">
              <FieldList label="Body" fields={event.fields} mark="optional" />
            </Section>
            <p className="text-ink-2">
              How deliveries are signed and retried is described in{' '}
              <TextLink href="/docs#webhooks">Webhooks</TextLink>. To send this event as a test, open a
              webhook in <TextLink href="/developers/webhooks">Developers → Webhooks</TextLink>.
            </p>
          </>
        }
        code={
          <Section title="Sample payload">
            <CodeBlock label="Sample payload" code={event.example} />
          </Section>
        }
      />
    </article>
  );
}
