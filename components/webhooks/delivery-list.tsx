'use client';

import { ChevronRight } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { RelativeTime } from '@/components/ui/relative-time';
import { StatusPill } from '@/components/ui/status-pill';
import type { WebhookDelivery } from '@/lib/contract/webhook';
import { deliveryStatus, untilInWords } from './webhook-status';

interface DeliveryListProps {
  deliveries: readonly WebhookDelivery[];
  now: number;
  /** The one that is open at first. */
  opened?: string | null;
  /** The attempts of one delivery, asked for when it is opened. */
  renderAttempts: (delivery: WebhookDelivery) => ReactNode;
}

/** Events on their way, the newest first; each opens to its attempts. */
export function DeliveryList({ deliveries, now, opened = null, renderAttempts }: DeliveryListProps) {
  const [open, setOpen] = useState(opened);
  return (
    <ul aria-label="Deliveries" className="divide-line divide-y rounded-md border">
      {deliveries.map((delivery) => (
        <li key={delivery.id} className="min-w-0">
          <DeliveryHead
            delivery={delivery}
            now={now}
            open={open === delivery.id}
            onToggle={() => setOpen(open === delivery.id ? null : delivery.id)}
          />
          {open === delivery.id && (
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
  const { tone, label } = deliveryStatus(delivery);
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
        {test && <span className="text-ink-3 font-sans"> · test</span>}
      </span>
      <span className="justify-self-start">
        <StatusPill tone={tone}>{label}</StatusPill>
      </span>
      <span className="text-ink-2 text-sm tabular-nums max-2xl:col-start-2">
        {attempts === 1 ? '1 attempt' : `${attempts} attempts`}
        {nextAttemptAt !== undefined && `, next ${untilInWords(nextAttemptAt, now)}`}
      </span>
      <span className="text-ink-3 text-sm 2xl:text-right">
        <RelativeTime at={createdAt} />
      </span>
    </button>
  );
}
