'use client';

import { ArrowLeft } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { useCreateTarget } from '@/lib/client/queries/target-queries';
import type { MultistreamTarget } from '@/lib/contract/targets/multistream';
import { TargetForm, requestBodyOf } from './target-form';

interface CreateTargetStepProps {
  /** Returns to the list of targets; null if the list is empty. */
  onBack: (() => void) | null;
  onCreated: (target: Pick<MultistreamTarget, 'id'>) => void;
}

/** Form that creates a target, in the dialog that adds it to a stream. */
export default function CreateTargetStep({ onBack, onCreated }: CreateTargetStepProps) {
  const t = useTranslations('targets.addTarget');
  const create = useCreateTarget();
  return (
    <TargetForm
      mutation={create}
      // The form is replaced when the list has the new target, and callbacks of `mutate` end with their component. The
      // form shows an error of the mutation.
      onSubmit={(target) => void create.mutateAsync(requestBodyOf(target)).then(onCreated, () => undefined)}
      secondary={
        onBack && (
          <Button onClick={onBack}>
            <ArrowLeft aria-hidden="true" />
            {t('back')}
          </Button>
        )
      }
    />
  );
}
