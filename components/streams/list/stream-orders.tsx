'use client';

import { ChevronDown, Circle, CircleOff, Pause, Play, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/overlay/confirm-dialog';
import { Menu, MenuItem, MenuSeparator } from '@/components/ui/overlay/menu';
import { counted } from '@/components/ui/time-words';
import { ConfirmSuspend } from '@/components/streams/settings/confirm-suspend';
import { afterDeletion } from '@/components/streams/settings/delete-stream';
import { SelectionBar } from '@/components/ui/table/selection-bar';
import type { StreamOrder, useBulkStreams } from '@/lib/client/queries/stream-bulk';
import { useOrders } from '@/components/ui/table/use-orders';
import type { useSelection } from '@/components/ui/table/use-selection';

interface StreamOrdersProps {
  selection: ReturnType<typeof useSelection>;
  bulk: ReturnType<typeof useBulkStreams>;
  /** Whether a stream is known not to be live. */
  isIdle: (id: string) => boolean;
}

const SHOWN_NAMES = 3;

/** What can be done with the ticked streams together. */
export function StreamOrders({ selection, bulk, isIdle }: StreamOrdersProps) {
  const { chosen, more, drop, clear } = selection;
  const { give, failures } = useOrders('stream', bulk.run);
  const [asking, setAsking] = useState<'suspend' | 'delete' | null>(null);
  const order = (what: StreamOrder, done: string) => () =>
    give({ rows: chosen, order: what, done, then: (outcome) => drop(outcome.done) });
  const suspend = order({ suspended: true }, 'suspended');
  const count = counted(chosen.length, 'stream');
  return (
    <>
      {(chosen.length > 0 || bulk.progress) && (
        <SelectionBar summary={`${count} selected`} more={more} progress={bulk.progress} onClear={clear}>
          <Menu
            side="top"
            trigger={
              <Button size="sm">
                Change
                <ChevronDown aria-hidden="true" />
              </Button>
            }
          >
            <MenuItem
              icon={Pause}
              onSelect={() => (chosen.every(({ id }) => isIdle(id)) ? suspend() : setAsking('suspend'))}
            >
              Suspend
            </MenuItem>
            <MenuItem icon={Play} onSelect={order({ suspended: false }, 'resumed')}>
              Resume
            </MenuItem>
            <MenuSeparator />
            <MenuItem icon={Circle} onSelect={order({ record: true }, 'switched to recording')}>
              Recording on
            </MenuItem>
            <MenuItem icon={CircleOff} onSelect={order({ record: false }, 'switched to not recording')}>
              Recording off
            </MenuItem>
          </Menu>
          <Button size="sm" variant="danger" onClick={() => setAsking('delete')}>
            <Trash2 aria-hidden="true" />
            Delete
          </Button>
        </SelectionBar>
      )}
      <ConfirmSuspend
        open={asking === 'suspend'}
        onOpenChange={(open) => setAsking(open ? 'suspend' : null)}
        what={count}
        onConfirm={suspend}
      />
      <ConfirmDialog
        open={asking === 'delete'}
        onOpenChange={(open) => setAsking(open ? 'delete' : null)}
        title={`Delete ${count}?`}
        word="delete"
        confirm={`Delete ${count}`}
        pending={false}
        onConfirm={() => {
          setAsking(null);
          order('delete', 'deleted')();
        }}
      >
        {namesInWords(chosen.map(({ name }) => name))}. Their {afterDeletion} This cannot be undone.
      </ConfirmDialog>
      {failures}
    </>
  );
}

/** "A, B, C and 9 more" */
function namesInWords(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN_NAMES).map((name) => `“${name}”`);
  const rest = names.length - shown.length;
  return rest > 0 ? `${shown.join(', ')} and ${rest.toLocaleString('en')} more` : shown.join(', ');
}
