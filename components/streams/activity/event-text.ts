import type { Translator } from '@/components/i18n/messages';
import type { StatusTone } from '@/components/ui/status-pill';
import type { StreamEvent } from '@/lib/contract/webhooks/event-endpoints';
import type { TranslateMessage } from '@/lib/client/server-messages';
import { type Payload, textIn } from './event-payload';

interface EventTexts {
  readonly title: string;
  /** Name of the target, or the reason of a warning or rejection. */
  readonly detail?: string;
  readonly tone: StatusTone;
  /** Page of the recording. */
  readonly href?: string;
}

/** Title, detail and link of an event. An event with an unknown payload has neither detail nor link. */
export function describeEvent(
  t: Translator<'streams.eventTexts'>,
  { event, payload, reason }: Pick<StreamEvent, 'event' | 'payload' | 'reason'>,
  translateWithReason: TranslateMessage,
): EventTexts {
  const translateMessage = (message: string) => translateWithReason(message, reason);
  const title = t(`event.${event}`);
  switch (event) {
    case 'stream.started':
      return { title, tone: 'live' };
    case 'stream.idle':
      return { title, tone: 'idle' };
    case 'stream.rejected':
      return { title, tone: 'warn', ...describeRejection(t, payload, translateMessage) };
    case 'stream.recovered':
    case 'stream.switched':
    case 'stream.slate_ended':
      return { title, tone: 'accent' };
    case 'stream.warning':
      return { title, tone: 'warn', ...describeWarning(payload, translateWithReason) };
    case 'stream.late':
    case 'stream.slate_started':
    case 'stream.viewers_stalling':
      return { title, tone: 'warn' };
    case 'recording.started':
    case 'recording.waiting':
      return { title, tone: 'idle', ...sessionLink(payload) };
    case 'recording.ready':
      return { title, tone: 'accent', ...sessionLink(payload) };
    case 'multistream.connected':
      return { title, tone: 'accent', ...describeTarget(payload) };
    case 'multistream.error':
      return { title, tone: 'warn', ...describeTarget(payload, translateMessage) };
    case 'multistream.disconnected':
      return { title, tone: 'idle', ...describeTarget(payload) };
  }
}

function describeRejection(
  t: Translator<'streams.eventTexts'>,
  payload: Payload,
  translateMessage: (message: string) => string,
): Pick<EventTexts, 'detail'> {
  const message = textIn(payload, 'message');
  const address = textIn(payload, 'address');
  if (message === undefined || address === undefined) return {};
  return { detail: t('rejection', { message: translateMessage(message), address }) };
}

function describeWarning(payload: Payload, translateMessage: TranslateMessage): Pick<EventTexts, 'detail'> {
  const issues: unknown = payload?.issues;
  if (!Array.isArray(issues)) return {};
  const issueTexts = issues.filter((issue) => typeof issue === 'string');
  return { detail: issueTexts.map((issue) => translateMessage(issue)).join(' ') };
}

function sessionLink(payload: Payload): Pick<EventTexts, 'href'> {
  const id = textIn(payload, 'session', 'id');
  const assetId = textIn(payload, 'session', 'assetId');
  if (id === undefined) return {};
  return { href: assetId === undefined ? `/sessions/${id}` : `/assets/${assetId}` };
}

function describeTarget(
  payload: Payload,
  translateMessage?: (message: string) => string,
): Pick<EventTexts, 'detail'> {
  const name = textIn(payload, 'target', 'name');
  const error = textIn(payload, 'error');
  if (name === undefined) return {};
  return {
    detail: [name, ...(error === undefined ? [] : [translateMessage?.(error) ?? error])].join(': '),
  };
}

type Deliveries = StreamEvent['deliveries'];

/** Summary of the deliveries of an event, with the state of the worst delivery; null without deliveries. */
export function describeDeliveries(
  t: Translator<'streams.eventTexts'>,
  deliveries: Deliveries,
): { label: string; worst: Deliveries[number] } | null {
  const worstFirst = ['failed', 'pending', 'skipped', 'ok'] as const;
  const worst = [...deliveries].sort((a, b) => worstFirst.indexOf(a.state) - worstFirst.indexOf(b.state))[0];
  if (!worst) return null;
  const { state, webhookName: webhook } = worst;
  const count = deliveries.length;
  if (count === 1) return { label: t('oneDelivery', { webhook, state }), worst };
  const sameStateCount = deliveries.filter((delivery) => delivery.state === state).length;
  return {
    label:
      sameStateCount === count
        ? t('allDeliveries', { count, state })
        : t('someDeliveries', { alike: sameStateCount, count, state }),
    worst,
  };
}
