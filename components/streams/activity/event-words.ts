import type { StatusTone } from '@/components/ui/status-pill';
import { eventPayloads } from '@/lib/contract/webhooks/event';
import type { StreamEvent } from '@/lib/contract/webhooks/event-endpoints';

interface EventWords {
  readonly title: string;
  /** The target, or the reason. */
  readonly detail?: string;
  readonly tone: StatusTone;
  /** Page of the recording. */
  readonly href?: string;
}

/** Title, detail and link of an event. An unknown payload only loses the detail. */
export function eventInWords({ event, payload }: Pick<StreamEvent, 'event' | 'payload'>): EventWords {
  switch (event) {
    case 'stream.started':
      return { title: 'Went live', tone: 'live' };
    case 'stream.idle':
      return { title: 'Went idle', tone: 'idle' };
    case 'stream.rejected':
      return { title: 'Encoder rejected', tone: 'warn', ...rejectionOf(payload) };
    case 'recording.started':
      return { title: 'Recording started', tone: 'idle', ...sessionOf(payload) };
    case 'recording.waiting':
      return { title: 'Processing the recording', tone: 'idle', ...sessionOf(payload) };
    case 'recording.ready':
      return { title: 'Recording is ready', tone: 'accent', ...sessionOf(payload) };
    case 'multistream.connected':
      return { title: 'Target connected', tone: 'accent', ...targetOf(payload) };
    case 'multistream.error':
      return { title: 'Target failed', tone: 'warn', ...targetOf(payload) };
    case 'multistream.disconnected':
      return { title: 'Target disconnected', tone: 'idle', ...targetOf(payload) };
  }
}

type Payload = StreamEvent['payload'];

function rejectionOf(payload: Payload): Pick<EventWords, 'detail'> {
  const parsed = eventPayloads['stream.rejected'].safeParse(payload);
  return parsed.success ? { detail: `${parsed.data.message} (from ${parsed.data.address})` } : {};
}

function sessionOf(payload: Payload): Pick<EventWords, 'href'> {
  const session = eventPayloads['recording.started'].shape.session.pick({ id: true, assetId: true });
  const parsed = session.safeParse(payload?.session);
  if (!parsed.success) return {};
  const { id, assetId } = parsed.data;
  return { href: assetId === undefined ? `/sessions/${id}` : `/assets/${assetId}` };
}

function targetOf(payload: Payload): Pick<EventWords, 'detail'> {
  const parsed = eventPayloads['multistream.error'].safeParse(payload);
  if (!parsed.success) return {};
  const { target, error } = parsed.data;
  return { detail: [target.name, ...(error === undefined ? [] : [error])].join(': ') };
}

type Deliveries = StreamEvent['deliveries'];

/** Summary of the deliveries of an event, named after the worst one; null without deliveries. */
export function deliveriesInWords(
  deliveries: Deliveries,
): { label: string; worst: Deliveries[number] } | null {
  const order = ['failed', 'pending', 'skipped', 'ok'] as const;
  const worst = [...deliveries].sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state))[0];
  if (!worst) return null;
  const many = deliveries.length;
  const alike = deliveries.filter(({ state }) => state === worst.state).length;
  const word = { failed: 'failed', pending: 'pending', skipped: 'skipped', ok: 'delivered' }[worst.state];
  if (many === 1) return { label: `${worst.webhookName}: ${word}`, worst };
  return {
    label: alike === many ? `${many} webhooks: ${word}` : `${alike} of ${many} webhooks: ${word}`,
    worst,
  };
}
