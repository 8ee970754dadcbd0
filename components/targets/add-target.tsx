'use client';

import { Plus } from 'lucide-react';
import { Suspense, lazy, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/overlay/dialog';
import { Skeleton } from '@/components/ui/skeleton';
import { useAddStreamTarget, useTargets } from '@/lib/client/queries/target-queries';
import type { Stream } from '@/lib/contract/streams/stream';
import type { MultistreamTarget } from '@/lib/contract/targets/multistream';
import { ReferenceForm } from './reference-form';

const loadForm = () => import('./create-target-step');
const CreateTargetStep = lazy(loadForm);

/** A failure is ignored here, and reported when the form is opened. */
const prefetchForm = () => void loadForm().catch(() => undefined);

/**
 * Adds a target to a stream, and creates a new target on request. A new target gets the source at once if the stream has
 * no other rendition.
 */
export function AddTargetDialog({ stream }: { stream: Stream }) {
  const t = useTranslations('targets.addTarget');
  const [open, setOpen] = useState(false);
  const [creating, setCreating] = useState(false);
  // Queried here, so that the list is up to date before a created target is selected in it.
  const targets = useTargets();
  const [selectedId, setSelectedId] = useState<string | null>(null);
  // The mutation belongs to the dialog and not to the form, which disappears with the last available target.
  const add = useAddStreamTarget(stream.id);
  // A platform accepts one publisher per key, so a second rendition to the same target would replace the first.
  const addedIds = new Set(stream.multistream.targets.map(({ id }) => id));
  const availableTargets = targets.data?.items.filter(({ id }) => !addedIds.has(id));
  const isEmpty = availableTargets?.length === 0 && add.isIdle;
  const emptyText = targets.data?.items.length === 0 ? t('noTargetsYet') : t('allAreAdded');
  const change = (next: boolean) => {
    setOpen(next);
    add.reset();
    setCreating(false);
    setSelectedId(null);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={creating || isEmpty ? t('createTarget') : t('addATarget')}
      description={
        isEmpty ? `${emptyText} ${t('keyIsStored')}` : t(creating ? 'keyIsStored' : 'whenItIsPushed')
      }
      trigger={
        <Button size="sm" onPointerEnter={prefetchForm} onFocus={prefetchForm}>
          <Plus aria-hidden="true" />
          {t('addTarget')}
        </Button>
      }
    >
      {creating || isEmpty ? (
        <Suspense fallback={<Skeleton className="h-80 w-full" />}>
          <CreateTargetStep
            onBack={isEmpty ? null : () => setCreating(false)}
            onCreated={({ id }) => {
              setSelectedId(id);
              setCreating(false);
              // With one rendition there is nothing to choose. If adding fails, the form shows why.
              if (stream.profiles.length === 0)
                add.mutate({ id, profile: 'source', videoOnly: false }, { onSuccess: () => change(false) });
            }}
          />
        </Suspense>
      ) : (
        availableTargets && (
          <ChooseTargetForm
            stream={stream}
            targets={availableTargets}
            selectedId={selectedId}
            onCreate={() => setCreating(true)}
            add={add}
            onDone={() => change(false)}
          />
        )
      )}
    </Dialog>
  );
}

interface ChooseTargetFormProps {
  stream: Stream;
  /** Targets of the team that the stream does not have. */
  targets: readonly MultistreamTarget[];
  /** The target that was just created. */
  selectedId: string | null;
  add: ReturnType<typeof useAddStreamTarget>;
  onCreate: () => void;
  onDone: () => void;
}

function ChooseTargetForm({ stream, targets, selectedId, add, onCreate, onDone }: ChooseTargetFormProps) {
  return (
    <ReferenceForm
      targets={targets}
      selectedTargetId={selectedId ?? targets[0]?.id ?? ''}
      renditions={['source', ...stream.profiles.map(({ name }) => name)]}
      mutation={add}
      onCreate={onCreate}
      onSubmit={(reference) => add.mutate(reference, { onSuccess: onDone })}
    />
  );
}
