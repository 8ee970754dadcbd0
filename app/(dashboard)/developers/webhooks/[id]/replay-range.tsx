'use client';

import { useState } from 'react';
import { sentencesOf } from '@/app/sentences-of';
import { Button } from '@/components/ui/button';
import { Dialog, DialogActions } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { FormError } from '@/components/ui/form-error';
import { Input } from '@/components/ui/input';
import { otherSentences, sentenceFor } from '@/components/ui/server-sentences';
import { useReplay } from '@/lib/client/webhook-queries';
import type { Webhook } from '@/lib/contract/webhook';

interface ReplayRangeProps {
  webhook: Webhook;
  onSent: (result: { resent: number }) => void;
}

/** Sends everything again that happened between two moments. */
export function ReplayRange({ webhook, onSent }: ReplayRangeProps) {
  const [open, setOpen] = useState(false);
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const replay = useReplay(webhook.id);
  const sentences = sentencesOf(replay.error);
  const submit = () =>
    replay.mutate(
      { from: new Date(from).getTime(), to: new Date(to).getTime() },
      {
        onSuccess: (result) => {
          onSent(result);
          setOpen(false);
        },
      },
    );
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        replay.reset();
      }}
      title="Replay a time range"
      description="Resends every event in the range with the same event IDs. Events are kept for 30 days."
      trigger={
        <Button size="sm" disabled={webhook.disabled}>
          Replay
        </Button>
      }
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="From" error={sentenceFor('from', sentences)}>
          {(field) => (
            <Input
              {...field}
              type="datetime-local"
              value={from}
              onChange={(event) => setFrom(event.target.value)}
            />
          )}
        </Field>
        <Field label="To" error={sentenceFor('to', sentences)}>
          {(field) => (
            <Input
              {...field}
              type="datetime-local"
              value={to}
              onChange={(event) => setTo(event.target.value)}
            />
          )}
        </Field>
      </div>
      <FormError>{otherSentences(['from', 'to'], sentences)}</FormError>
      <DialogActions>
        <Button variant="primary" disabled={!from || !to} pending={replay.isPending} onClick={submit}>
          Replay
        </Button>
      </DialogActions>
    </Dialog>
  );
}
