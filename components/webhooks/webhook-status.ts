import type { StatusTone } from '@/components/ui/status-pill';
import type { Webhook, WebhookDelivery } from '@/lib/contract/webhook';

interface Status {
  readonly tone: StatusTone;
  readonly label: string;
}

/** The one word for how a webhook does. */
export function webhookStatus({ disabled, disabledReason, status }: Webhook): Status {
  if (disabled)
    return disabledReason ? { tone: 'warn', label: 'Disabled' } : { tone: 'idle', label: 'Disabled' };
  const { lastTriggeredAt = 0, lastFailure } = status ?? {};
  // A failure that is not younger than the last attempt was the last attempt.
  if (lastFailure && lastFailure.timestamp >= lastTriggeredAt - 1_000)
    return { tone: 'warn', label: 'Failing' };
  return { tone: 'accent', label: lastTriggeredAt > 0 ? 'Delivering' : 'Waiting' };
}

/** Why the service switched a webhook off, and what to do; null when it did not. */
export function switchedOffWords({ disabled, disabledReason }: Webhook): string | null {
  if (!disabled || !disabledReason) return null;
  return disabledReason === 'gone'
    ? 'Disabled because the receiver answered 410 Gone. Turn it on when the receiver is back.'
    : 'Disabled because every delivery failed for three days. Turn it on when the receiver works again.';
}

const deliveryStatuses: Readonly<Record<WebhookDelivery['state'], Status>> = {
  ok: { tone: 'accent', label: 'Delivered' },
  pending: { tone: 'warn', label: 'Pending' },
  failed: { tone: 'live', label: 'Failed' },
  skipped: { tone: 'idle', label: 'Skipped' },
};

export const deliveryStatus = ({ state }: WebhookDelivery): Status => deliveryStatuses[state];

/** "in 12 s", "in 4 min", "now": how long until a time. Both in milliseconds. */
export function untilInWords(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000);
  if (seconds <= 0) return 'now';
  return seconds < 90 ? `in ${seconds} s` : `in ${Math.round(seconds / 60)} min`;
}
