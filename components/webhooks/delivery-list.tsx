'use client';

import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { CodeBlock } from '@/components/ui/copy/code-block';
import { capitalize } from '@/components/ui/form/server-messages';
import { RelativeTime } from '@/components/ui/relative-time';
import { StatusPill } from '@/components/ui/status-pill';
import type { WebhookDelivery, WebhookLog } from '@/lib/contract/webhooks/webhook';
import { deliveryStatus, formatUntil } from './webhook-table';
import { useTranslateMessage } from '@/components/i18n/reasons';

interface AttemptListProps {
  /** Attempts, newest first. */
  attempts: readonly WebhookLog[];
  /** Whether the member and the webhook allow that the delivery is resent. */
  canResend: boolean;
  /** Whether the delivery is being resent. */
  pending: boolean;
  /** Time at which the attempts were loaded, in Unix milliseconds. */
  now: number;
  onResend: (logId: string) => void;
}

/** All attempts of one delivery, with requests and responses. */
export function AttemptList({ attempts, canResend, pending, now, onResend }: AttemptListProps) {
  const t = useTranslations('webhooks.deliveryList');
  const [newestAttempt] = attempts;
  return (
    <div className="grid gap-3">
      <ol className="grid gap-3" aria-label={t('attempts')}>
        {attempts.map((attempt) => (
          <li key={attempt.id} className="bg-surface min-w-0 rounded-md border">
            <Attempt attempt={attempt} open={attempt === newestAttempt} now={now} />
          </li>
        ))}
      </ol>
      {newestAttempt && canResend && (
        <Button
          size="sm"
          className="justify-self-start"
          pending={pending}
          onClick={() => onResend(newestAttempt.id)}
        >
          {t('sendAgain')}
        </Button>
      )}
    </div>
  );
}

function Attempt({ attempt, open, now }: { attempt: WebhookLog; open: boolean; now: number }) {
  const t = useTranslations('webhooks.deliveryList');
  const tWebhookTexts = useTranslations('webhooks.webhookTexts');
  const translateMessage = useTranslateMessage();
  const { request, response } = attempt;
  const responseBody = response?.body ? decodeBase64(response.body) : '';
  return (
    <details open={open}>
      <summary className="flex cursor-default flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5 text-sm">
        <span className="font-medium tabular-nums">{t('attempt', { attempt: attempt.attempt })}</span>
        <AttemptStatus attempt={attempt} />
        {attempt.duration !== undefined && (
          <span className="text-ink-2 tabular-nums">{Math.round(attempt.duration * 1000)} ms</span>
        )}
        <span className="text-ink-3">
          <RelativeTime at={attempt.createdAt} />
        </span>
        {attempt.nextAttemptAt !== undefined && attempt.nextAttemptAt > now && (
          <span className="text-ink-2">
            {t('nextAttempt', { when: formatUntil(tWebhookTexts, attempt.nextAttemptAt, now) })}
          </span>
        )}
      </summary>
      <div className="grid gap-3 px-4 pb-4">
        {attempt.error && (
          <p className="text-live-ink text-sm wrap-anywhere">
            {capitalize(translateMessage(attempt.error, attempt.errorReason))}
          </p>
        )}
        {request && (
          <HttpMessage title={t('request')}>
            <CodeBlock label={t('requestHeaders')} code={formatRequestHead(request)} />
            <CodeBlock
              label={t('requestBody')}
              code={formatJson(request.body)}
              className="max-h-80 overflow-y-auto"
            />
          </HttpMessage>
        )}
        {response && (
          <HttpMessage title={t('response')}>
            <CodeBlock label={t('responseHeaders')} code={formatResponseHead(response)} />
            {responseBody && <CodeBlock label={t('responseBody')} code={responseBody} />}
          </HttpMessage>
        )}
        {attempt.ip && (
          <p className="text-ink-2 text-sm">
            {t.rich('connectedTo', {
              address: attempt.ip,
              mono: (address) => <span className="font-mono">{address}</span>,
            })}
          </p>
        )}
      </div>
    </details>
  );
}

function HttpMessage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="grid min-w-0 gap-2">
      <h3 className="text-sm font-medium">{title}</h3>
      {children}
    </section>
  );
}

function AttemptStatus({ attempt: { success, duration, response, error } }: { attempt: WebhookLog }) {
  const t = useTranslations('webhooks.deliveryList');
  if (success) return <StatusPill tone="accent">{response?.status ?? t('accepted')}</StatusPill>;
  if (duration === undefined && !error) return <StatusPill tone="idle">{t('waiting')}</StatusPill>;
  return <StatusPill tone="live">{response?.status ?? t('noResponse')}</StatusPill>;
}

/** Request line and headers. */
function formatRequestHead({ method, url, headers }: NonNullable<WebhookLog['request']>): string {
  return [`${method} ${url}`, ...headerLines(headers)].join('\n');
}

/** Status line and headers. */
function formatResponseHead({
  status,
  statusText = '',
  headers = {},
}: NonNullable<WebhookLog['response']>): string {
  return [`${status ?? ''} ${statusText}`.trim(), ...headerLines(headers)].join('\n');
}

const headerLines = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`);

/** Indented JSON; text that is no JSON is unchanged. */
function formatJson(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}

/** Text of bytes that the API returns as base64. */
function decodeBase64(base64: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
}

interface DeliveryListProps {
  deliveries: readonly WebhookDelivery[];
  /** Time at which the deliveries were loaded, in Unix milliseconds. */
  now: number;
  /** Id of the delivery that is open initially. */
  initialDeliveryId?: string | null;
  /** Renders the attempts of one delivery, which load when it is opened. */
  renderAttempts: (delivery: WebhookDelivery) => ReactNode;
}

/** Deliveries, newest first; each expands to its attempts. */
export function DeliveryList({
  deliveries,
  now,
  initialDeliveryId = null,
  renderAttempts,
}: DeliveryListProps) {
  const t = useTranslations('webhooks.deliveryList');
  const [openDeliveryId, setOpenDeliveryId] = useState(initialDeliveryId);
  return (
    <ul aria-label={t('deliveries')} className="divide-line divide-y rounded-md border">
      {deliveries.map((delivery) => (
        <li key={delivery.id} className="min-w-0">
          <DeliveryHead
            delivery={delivery}
            now={now}
            open={openDeliveryId === delivery.id}
            onToggle={() => setOpenDeliveryId(openDeliveryId === delivery.id ? null : delivery.id)}
          />
          {openDeliveryId === delivery.id && (
            <div id={`attempts-${delivery.id}`} className="bg-sunken border-t p-3 sm:p-4">
              {renderAttempts(delivery)}
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

interface DeliveryHeadProps {
  delivery: WebhookDelivery;
  now: number;
  open: boolean;
  onToggle: () => void;
}

function DeliveryHead({ delivery, now, open, onToggle }: DeliveryHeadProps) {
  const t = useTranslations('webhooks.deliveryList');
  const tWebhookTexts = useTranslations('webhooks.webhookTexts');
  const { tone, label } = deliveryStatus(tWebhookTexts, delivery);
  const { event, test, attempts, nextAttemptAt, createdAt } = delivery;
  return (
    <button
      type="button"
      aria-expanded={open}
      aria-controls={`attempts-${delivery.id}`}
      onClick={onToggle}
      className="hover:bg-hover/50 grid w-full grid-cols-[1rem_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 px-4 py-3 text-left transition-colors focus-visible:outline-offset-[-2px] 2xl:grid-cols-[1rem_minmax(0,1fr)_8rem_9rem_6rem]"
    >
      <ChevronRight
        aria-hidden="true"
        className={open ? 'text-ink-3 size-4 rotate-90' : 'text-ink-3 size-4'}
      />
      <span className="min-w-0 font-mono text-sm wrap-anywhere">
        {event}
        {test && <span className="text-ink-3 font-sans"> · {t('test')}</span>}
      </span>
      <span className="justify-self-start">
        <StatusPill tone={tone}>{label}</StatusPill>
      </span>
      <span className="text-ink-2 text-sm tabular-nums max-2xl:col-start-2">
        {nextAttemptAt === undefined
          ? t('countedAttempts', { attempts })
          : t('countedAttemptsAndNext', { attempts, when: formatUntil(tWebhookTexts, nextAttemptAt, now) })}
      </span>
      <span className="text-ink-3 text-sm 2xl:text-right">
        <RelativeTime at={createdAt} />
      </span>
    </button>
  );
}
