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

/** Starts loading the form. A failure is ignored here, and reported when the form is opened. */
const prefetchForm = () => void loadForm().catch(() => undefined);

/**
 * Dialog that adds a target to a stream, and can create the target first. If the stream has no renditions, a created
 * target is added immediately, with the source.
 */
export function AddTargetDialog({ stream }: { stream: Stream }) {
  const t = useTranslations('targets.addTarget');
  const [open, setOpen] = useState(false);
  const [isCreating, setCreating] = useState(false);
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
  const changeOpen = (isOpen: boolean) => {
    setOpen(isOpen);
    add.reset();
    setCreating(false);
    setSelectedId(null);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={changeOpen}
      title={isCreating || isEmpty ? t('createTarget') : t('addATarget')}
      description={
        isEmpty ? `${emptyText} ${t('keyIsStored')}` : t(isCreating ? 'keyIsStored' : 'whenItIsPushed')
      }
      trigger={
        <Button size="sm" onPointerEnter={prefetchForm} onFocus={prefetchForm}>
          <Plus aria-hidden="true" />
          {t('addTarget')}
        </Button>
      }
    >
      {isCreating || isEmpty ? (
        <Suspense fallback={<Skeleton className="h-80 w-full" />}>
          <CreateTargetStep
            onBack={isEmpty ? null : () => setCreating(false)}
            onCreated={({ id }) => {
              setSelectedId(id);
              setCreating(false);
              // With one rendition there is nothing to choose. If adding fails, the form shows why.
              if (stream.profiles.length === 0)
                add.mutate(
                  { id, profile: 'source', videoOnly: false },
                  { onSuccess: () => changeOpen(false) },
                );
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
            onDone={() => changeOpen(false)}
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
