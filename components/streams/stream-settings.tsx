'use client';

import { MonitorPlay, Square, Trash2 } from 'lucide-react';
import { useCallback, useSyncExternalStore } from 'react';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { SwitchRow } from '@/components/ui/form/toggle';
import { Panel } from '@/components/ui/panel';
import { useSetTestPattern } from '@/lib/client/queries/stream-queries';

interface StreamSettingsProps {
  record: boolean;
  suspended: boolean;
  onRecord: (record: boolean) => void;
  onSuspend: (suspended: boolean) => void;
  onDelete: () => void;
}

export function StreamSettings(props: StreamSettingsProps) {
  return (
    <Panel title="Settings">
      <div className="grid gap-5">
        <SwitchRow
          label="Record"
          description="Record new sessions. A session in progress is not affected."
          checked={props.record}
          onChange={props.onRecord}
        />
        <SwitchRow
          label="Suspend"
          description="Disconnect the encoder, refuse new ones and stop playback."
          checked={props.suspended}
          onChange={props.onSuspend}
        />
        <div className="border-t pt-5">
          <Button onClick={props.onDelete} className="text-live-ink w-full">
            <Trash2 aria-hidden="true" />
            Delete stream
          </Button>
        </div>
      </div>
    </Panel>
  );
}

interface TestPatternButtonProps {
  running: boolean;
  pending: boolean;
  disabled?: boolean;
  onChange: (running: boolean) => void;
}

/** Publishes the built-in test card to the stream, or takes it off. */
export function TestPatternButton({ running, pending, disabled, onChange }: TestPatternButtonProps) {
  const Icon = running ? Square : MonitorPlay;
  return (
    <Button pending={pending} disabled={disabled} onClick={() => onChange(!running)}>
      <Icon aria-hidden="true" />
      {running ? 'Stop test pattern' : 'Send test pattern'}
    </Button>
  );
}

/** The server takes the card off after this long. */
const RUNS_FOR_MS = 30 * 60_000;

const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

const storageKey = (id: string) => `headwater.test-pattern.${id}`;

function isRemembered(id: string): boolean {
  return Number(localStorage.getItem(storageKey(id)) ?? 0) > Date.now();
}

function remember(id: string, running: boolean) {
  if (running) localStorage.setItem(storageKey(id), String(Date.now() + RUNS_FOR_MS));
  else localStorage.removeItem(storageKey(id));
  for (const each of listeners) each();
}

/**
 * The test card of a stream. The stream object does not say who publishes, so this browser remembers
 * what it asked for.
 */
export function useTestPattern(id: string) {
  const mutation = useSetTestPattern(id);
  const running = useSyncExternalStore(
    subscribe,
    () => isRemembered(id),
    () => false,
  );
  const { mutate } = mutation;
  const change = useCallback(
    (next: boolean) =>
      mutate(next, {
        onSuccess: () => remember(id, next),
        onError: (error) => toast.error('Couldn’t change the test pattern', { description: error.message }),
      }),
    [mutate, id],
  );
  return { running, pending: mutation.isPending, change };
}
