'use client';

import { MonitorPlay, Square, Trash2 } from 'lucide-react';
import { useCallback, useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { SwitchRow } from '@/components/ui/form/toggle';
import { Panel } from '@/components/ui/panel';
import { useSetTestPattern, useTestPatternState } from '@/lib/client/queries/stream-queries';
import { ConfirmSuspend } from './confirm-suspend';

interface StreamSettingsProps {
  name: string;
  live: boolean;
  record: boolean;
  suspended: boolean;
  onRecord: (record: boolean) => void;
  onSuspend: (suspended: boolean) => void;
  onDelete: () => void;
}

export function StreamSettings(props: StreamSettingsProps) {
  const [suspending, setSuspending] = useState(false);
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
          onChange={(suspended) =>
            suspended && props.live ? setSuspending(true) : props.onSuspend(suspended)
          }
        />
        <div className="border-t pt-5">
          <Button onClick={props.onDelete} className="text-live-ink w-full">
            <Trash2 aria-hidden="true" />
            Delete stream
          </Button>
        </div>
      </div>
      <ConfirmSuspend
        open={suspending}
        onOpenChange={setSuspending}
        what={`“${props.name}”`}
        onConfirm={() => props.onSuspend(true)}
      />
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

/** The test pattern of a stream, as the server has it: every browser shows the same. */
export function useTestPattern(id: string) {
  const pattern = useTestPatternState(id);
  const { mutate, isPending } = useSetTestPattern(id);
  const change = useCallback(
    (running: boolean) =>
      mutate(running, {
        onError: (error) => toast.error('Couldn’t change the test pattern', { description: error.message }),
      }),
    [mutate],
  );
  return { running: pattern.data?.running ?? false, pending: isPending || pattern.isPending, change };
}
