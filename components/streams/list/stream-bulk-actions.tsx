'use client';

import { ChevronDown, Circle, CircleOff, Pause, Play, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Translator } from '@/components/i18n/messages';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/overlay/confirm-dialog';
import { Menu, MenuItem, MenuSeparator } from '@/components/ui/overlay/menu';
import { ConfirmSuspendDialog } from '@/components/streams/settings/confirm-suspend';
import { type NamedRow, SelectionBar } from '@/components/ui/table/selection-bar';
import type { StreamBulkAction, useBulkStreams } from '@/lib/client/queries/stream-bulk';
import { useBulkActions } from '@/components/ui/table/use-bulk-actions';
import type { useSelection } from '@/components/ui/table/use-selection';

interface StreamBulkActionsProps {
  selection: ReturnType<typeof useSelection>;
  bulk: ReturnType<typeof useBulkStreams>;
  /** Whether a stream is known not to be live. */
  isIdle: (id: string) => boolean;
}

/** Number of stream names in the confirmation of a deletion. Other streams are counted. */
const SHOWN_NAMES = 3;

/** Bar with the actions for the selected streams, their confirmations, and a dialog with the streams that failed. */
export function StreamBulkActions({ selection, bulk, isIdle }: StreamBulkActionsProps) {
  const t = useTranslations('streams.streamBulkActions');
  const { selectedRows: selectedStreams, selectAllOffer, deselect, clear } = selection;
  const { runBulkAction, failuresDialog } = useBulkActions((count) => t('rowCount', { count }), bulk.run);
  const [openDialog, setOpenDialog] = useState<'suspend' | 'delete' | null>(null);
  const handlerFor = (bulkAction: StreamBulkAction, doneText: string) => () =>
    runBulkAction({
      rows: selectedStreams,
      action: bulkAction,
      doneText,
      onOutcome: (outcome) => deselect(outcome.succeededIds),
    });
  const suspend = handlerFor({ suspended: true }, t('done.suspended'));
  const count = selectedStreams.length;
  return (
    <>
      {(count > 0 || bulk.progress) && (
        <SelectionBar
          summary={t('selected', { count })}
          selectAllOffer={selectAllOffer}
          progress={bulk.progress}
          onClear={clear}
        >
          <Menu
            side="top"
            trigger={
              <Button size="sm">
                {t('change')}
                <ChevronDown aria-hidden="true" />
              </Button>
            }
          >
            <MenuItem
              icon={Pause}
              onSelect={() =>
                selectedStreams.every(({ id }) => isIdle(id)) ? suspend() : setOpenDialog('suspend')
              }
            >
              {t('suspend')}
            </MenuItem>
            <MenuItem icon={Play} onSelect={handlerFor({ suspended: false }, t('done.resumed'))}>
              {t('resume')}
            </MenuItem>
            <MenuSeparator />
            <MenuItem icon={Circle} onSelect={handlerFor({ record: true }, t('done.recording'))}>
              {t('recordingOn')}
            </MenuItem>
            <MenuItem icon={CircleOff} onSelect={handlerFor({ record: false }, t('done.notRecording'))}>
              {t('recordingOff')}
            </MenuItem>
          </Menu>
          <Button size="sm" variant="danger" onClick={() => setOpenDialog('delete')}>
            <Trash2 aria-hidden="true" />
            {t('delete')}
          </Button>
        </SelectionBar>
      )}
      <ConfirmSuspendDialog
        open={openDialog === 'suspend'}
        onOpenChange={(open) => setOpenDialog(open ? 'suspend' : null)}
        title={t('suspendTitle', { count })}
        onConfirm={suspend}
      />
      <ConfirmDialog
        open={openDialog === 'delete'}
        onOpenChange={(open) => setOpenDialog(open ? 'delete' : null)}
        title={t('deleteTitle', { count })}
        confirmationWord={t('deleteWord')}
        confirmLabel={t('deleteConfirm', { count })}
        pending={false}
        onConfirm={() => {
          setOpenDialog(null);
          handlerFor('delete', t('done.deleted'))();
        }}
      >
        {t('whatIsDeleted', { names: joinNames(t, selectedStreams) })}
      </ConfirmDialog>
      {failuresDialog}
    </>
  );
}

/** Joins names: "A, B, C and 9 more". */
function joinNames(t: Translator<'streams.streamBulkActions'>, rows: readonly NamedRow[]): string {
  const names = rows
    .slice(0, SHOWN_NAMES)
    .map(({ name }) => t('name', { name }))
    .join(', ');
  const count = rows.length - SHOWN_NAMES;
  return count > 0 ? t('andMore', { names, count }) : names;
}
