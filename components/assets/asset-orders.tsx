'use client';

import { ArchiveRestore, Tag, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/form/field';
import { ConfirmDialog } from '@/components/ui/overlay/confirm-dialog';
import { Dialog, DialogActions } from '@/components/ui/overlay/dialog';
import { type Named, SelectionBar } from '@/components/ui/table/selection-bar';
import { useOrders } from '@/components/ui/table/use-orders';
import type { useSelection } from '@/components/ui/table/use-selection';
import { useBulkAssets } from '@/lib/client/queries/asset-queries';
import type { BulkProgress, Outcome } from '@/lib/client/use-bulk';
import { tagsIn } from './tags-panel';

interface AssetOrdersProps {
  selection: ReturnType<typeof useSelection>;
  progress: BulkProgress | null;
  /** The list shows what was deleted: it can only come back. */
  deleted: boolean;
  onTag: (rows: readonly Named[], tag: string) => void;
  onDelete: (rows: readonly Named[]) => void;
  onRestore: (rows: readonly Named[]) => void;
}

/** What can be done with the ticked assets together. */
export function AssetOrders({ selection, progress, deleted, onTag, onDelete, onRestore }: AssetOrdersProps) {
  const t = useTranslations('assets.assetOrders');
  const { chosen, more, clear } = selection;
  if (chosen.length === 0 && !progress) return null;
  return (
    <SelectionBar
      summary={t('selected', { count: chosen.length })}
      more={more}
      progress={progress}
      onClear={clear}
    >
      {deleted ? (
        <Button size="sm" variant="primary" onClick={() => onRestore(chosen)}>
          <ArchiveRestore aria-hidden="true" />
          {t('restore')}
        </Button>
      ) : (
        <>
          <AddTag onAdd={(tag) => onTag(chosen, tag)} />
          <Button size="sm" variant="danger" onClick={() => onDelete(chosen)}>
            <Trash2 aria-hidden="true" />
            {t('delete')}
          </Button>
        </>
      )}
    </SelectionBar>
  );
}

type Then = (outcome: Outcome) => void;

function AddTag({ onAdd }: { onAdd: (tag: string) => void }) {
  const t = useTranslations('assets.assetOrders');
  const [open, setOpen] = useState(false);
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();
  const add = () => {
    const tags = tagsIn(text);
    const [tag] = tags;
    if (tag === undefined || tags.length > 1 || tag.length > 50) {
      setError(t('oneTag'));
      return;
    }
    setOpen(false);
    onAdd(tag);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        setText('');
        setError(undefined);
      }}
      title={t('addTag')}
      trigger={
        <Button size="sm">
          <Tag aria-hidden="true" />
          {t('addTag')}
        </Button>
      }
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <Field label={t('tag')} hint={t('tagHint')} error={error}>
          {(field) => (
            <Input
              {...field}
              autoComplete="off"
              value={text}
              onChange={({ target }) => setText(target.value)}
            />
          )}
        </Field>
        <DialogActions>
          <Button type="submit" variant="primary">
            {t('addTag')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** Deletes assets and takes that back: the service keeps them for seven days. Adds a tag to many. */
export function useAssetOrders() {
  const t = useTranslations('assets.assetOrders');
  const { run, progress } = useBulkAssets();
  const { give, failures } = useOrders((count) => t('counted', { count }), run);
  const [asked, setAsked] = useState<{ rows: readonly Named[]; then?: Then | undefined }>({ rows: [] });
  const { rows: doomed, then } = asked;
  const restore = (rows: readonly Named[], whenOver?: Then) =>
    give({ rows, order: 'restore', done: t('restored'), ...(whenOver ? { then: whenOver } : {}) });
  const addTag = (rows: readonly Named[], tag: string, whenOver?: Then) =>
    give({
      rows,
      order: { addTag: tag },
      done: t('tagged', { tag }),
      ...(whenOver ? { then: whenOver } : {}),
    });
  const count = doomed.length;
  const dialogs = (
    <>
      <ConfirmDialog
        open={count > 0}
        onOpenChange={(open) => !open && setAsked({ rows: [] })}
        title={t('deleteTitle', { count, name: doomed[0]?.name ?? '' })}
        confirm={t('deleteAssets', { count })}
        pending={false}
        onConfirm={() => {
          setAsked({ rows: [] });
          give({
            rows: doomed,
            order: 'delete',
            done: t('deleted'),
            undo: { label: t('restore'), run: restore },
            ...(then ? { then } : {}),
          });
        }}
      >
        {t('deleteText', { count })}
      </ConfirmDialog>
      {failures}
    </>
  );
  /** Opens the confirmation; `whenOver` gets the result. */
  const askToDelete = (rows: readonly Named[], whenOver?: Then) => setAsked({ rows, then: whenOver });
  return { askToDelete, restore, addTag, progress, dialogs };
}
