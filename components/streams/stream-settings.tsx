import { Trash2 } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { Panel } from '@/components/ui/panel';
import { SwitchRow } from '@/components/ui/switch';

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
