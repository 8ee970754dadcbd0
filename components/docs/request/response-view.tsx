'use client';

import { parseBody } from '@/components/docs/samples/sample-request';
import { CodeBlock } from '@/components/ui/copy/code-block';
import { FormError } from '@/components/ui/form/field';
import { cn } from '@/components/ui/class-names';
import type { ReceivedResponse } from '@/lib/client/send-request';

/** Status, time, headers and body of a response, with the error messages of a rejection. */
export function ResponseView({ response, advice }: { response: ReceivedResponse; advice: string | null }) {
  const { status, statusText, durationMs, headers, body, isTruncated } = response;
  const isError = status >= 400;
  const errorMessages = isError ? errorMessagesIn(body) : [];
  return (
    <section aria-label="Response" className="grid min-w-0 gap-3">
      <p role="status" className="flex flex-wrap items-baseline gap-x-3">
        <span
          className={cn(
            'rounded-md px-2 py-0.5 font-mono text-sm font-medium',
            isError ? 'bg-live-soft text-live-ink' : 'bg-accent-soft text-accent-ink',
          )}
        >
          {`${status} ${statusText}`.trim()}
        </span>
        <span className="text-ink-2 text-sm">{Math.round(durationMs).toLocaleString('en')} ms</span>
      </p>
      {errorMessages.length > 0 && <FormError>{errorMessages.join(' ')}</FormError>}
      {advice !== null && <p className="text-ink-2 text-sm">{advice}</p>}
      {body !== '' && (
        <CodeBlock
          label="Response body"
          code={body}
          maskedCode={formatIfJson(body)}
          className="max-h-[30rem] overflow-y-auto"
        />
      )}
      {isTruncated && <p className="text-ink-2 text-sm">The response is longer. Only its start is shown.</p>}
      <details className="min-w-0">
        <summary className="text-ink-2 hover:text-ink min-h-6 w-fit cursor-pointer rounded-sm text-sm leading-6">
          {headers.length} response headers
        </summary>
        <dl className="mt-2 grid gap-1 font-mono text-xs">
          {headers.map(([name, value]) => (
            <div key={name} className="wrap-anywhere">
              <dt className="text-ink-2 inline">{name}: </dt>
              <dd className="inline">{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  );
}

function errorMessagesIn(body: string): readonly string[] {
  const value = parseBody(body)?.value;
  if (typeof value !== 'object' || value === null || !('errors' in value) || !Array.isArray(value.errors))
    return [];
  return value.errors.filter((error) => typeof error === 'string');
}

function formatIfJson(body: string): string {
  const json = parseBody(body);
  return json ? JSON.stringify(json.value, null, 2) : body;
}
