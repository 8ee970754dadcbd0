'use client';

import { Captions, CaptionsOff, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/overlay/confirm-dialog';
import { Dialog } from '@/components/ui/overlay/dialog';
import { MenuItem, MenuSeparator } from '@/components/ui/overlay/menu';
import { Panel } from '@/components/ui/panel';
import { asSentence } from '@/components/ui/form/server-messages';
import { StatusPill } from '@/components/ui/status-pill';
import { DataTable, type DataColumn } from '@/components/ui/table/data-table';
import { RowMenu } from '@/components/ui/table/row-menu';
import { errorMessagesOf } from '@/lib/client/call';
import { useAddTrack, useDeleteTrack, useTracks, useUpdateTrack } from '@/lib/client/queries/track-queries';
import type { Asset } from '@/lib/contract/assets/asset';
import type { Track } from '@/lib/contract/assets/track';
import { GenerateTrackDialog, TrackGenerationStatus } from './generate-track';
import { useLanguageNames } from './track-fields';
import { TrackForm } from './track-form';

/** Panel with the subtitle tracks of an asset, which can be added, generated, made the default or deleted. */
export function TracksPanel({ asset }: { asset: Asset }) {
  const t = useTranslations('assets.tracksPanel');
  const { data: rows } = useTracks(asset.id);
  const columns = useColumns();
  const update = useUpdateTrack(asset.id);
  const remove = useDeleteTrack(asset.id);
  const [trackToDelete, setTrackToDelete] = useState<Track | null>(null);
  const onError = (error: Error) =>
    void toast.error(t('notSaved'), { description: errorMessagesOf(error).join(' ') });
  return (
    <Panel title={t('title')} description={t('description')} action={<TrackButtons asset={asset} />}>
      <TrackGenerationStatus asset={asset} />
      {rows?.length === 0 ? (
        <p className="text-ink-3">{t('none')}</p>
      ) : (
        <DataTable
          label={t('title')}
          columns={columns}
          rows={rows}
          nameOf={({ label }) => label}
          menu={(track) => (
            <RowMenu name={track.label}>
              <MenuItem
                icon={track.default ? CaptionsOff : Captions}
                onSelect={() => update.mutate({ trackId: track.id, default: !track.default }, { onError })}
              >
                {t(track.default ? 'noDefault' : 'makeDefault')}
              </MenuItem>
              <MenuSeparator />
              <MenuItem icon={Trash2} danger onSelect={() => setTrackToDelete(track)}>
                {t('delete')}
              </MenuItem>
            </RowMenu>
          )}
          placeholderRows={1}
        />
      )}
      <ConfirmDialog
        open={trackToDelete !== null}
        onOpenChange={(open) => !open && setTrackToDelete(null)}
        title={t('deleteTitle', { label: trackToDelete?.label ?? '' })}
        confirmLabel={t('deleteTrack')}
        pending={remove.isPending}
        error={errorMessagesOf(remove.error).join(' ')}
        onConfirm={() =>
          trackToDelete &&
          remove.mutate(trackToDelete.id, {
            onSuccess: () => {
              setTrackToDelete(null);
              toast.success(t('deleted'));
            },
          })
        }
      >
        {t('deleteText')}
      </ConfirmDialog>
    </Panel>
  );
}

function useColumns(): readonly DataColumn<Track>[] {
  const t = useTranslations('assets.tracksPanel');
  const formatLanguage = useLanguageNames();
  return [
    {
      head: t('label'),
      skeleton: 'h-4 w-32',
      cell: ({ label, default: isDefault, generated }) => (
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1 sm:py-2">
          <span className="font-medium wrap-anywhere">{label}</span>
          {isDefault && <StatusPill tone="idle">{t('default')}</StatusPill>}
          {generated && <StatusPill tone="idle">{t('generated')}</StatusPill>}
        </span>
      ),
    },
    {
      head: t('language'),
      phone: true,
      width: 'w-44',
      skeleton: 'h-4 w-20',
      cell: ({ language }) => formatLanguage(language),
    },
    {
      head: t('kind'),
      phone: true,
      width: 'w-32',
      skeleton: 'h-4 w-20',
      cell: ({ kind }) => t(`kinds.${kind}`),
    },
    { head: t('cues'), width: 'w-20', skeleton: 'h-4 w-8', cell: ({ cues }) => cues },
  ];
}

function TrackButtons({ asset }: { asset: Asset }) {
  return (
    <div className="flex flex-wrap gap-2">
      <GenerateTrackDialog asset={asset} />
      <AddTrackDialog asset={asset} />
    </div>
  );
}

function AddTrackDialog({ asset }: { asset: Asset }) {
  const t = useTranslations('assets.tracksPanel');
  const [open, setOpen] = useState(false);
  const add = useAddTrack(asset.id);
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        add.reset();
      }}
      title={t('addTitle')}
      description={t('addText')}
      trigger={
        <Button>
          <Plus aria-hidden="true" />
          {t('add')}
        </Button>
      }
    >
      <TrackForm
        mutation={add}
        onSubmit={(track) =>
          add.mutate(track, {
            onSuccess: ({ label, warnings }) => {
              setOpen(false);
              toast.success(t('added', { label }), { description: warnings?.map(asSentence).join(' ') });
            },
          })
        }
      />
    </Dialog>
  );
}
