'use client';

import { Suspense, lazy, useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useTranslateMessage } from '@/components/i18n/reasons';
import { CheckRow } from '@/components/streams/readiness/check-row';
import { checkTarget } from '@/components/streams/readiness/readiness-checks';
import { IfPermitted } from '@/components/teams/use-team';
import { Button } from '@/components/ui/button';
import { asSentence } from '@/components/ui/form/server-messages';
import { RelativeTime } from '@/components/ui/relative-time';
import { errorMessagesOf } from '@/lib/client/call';
import { useTestTarget } from '@/lib/client/queries/target-queries';
import type { TargetStatus } from '@/lib/contract/targets/multistream';
import { StreamTargetMenu, useSentRendition, type StreamTargetProps } from './stream-target-menu';

const EditTargetDialog = lazy(async () => ({ default: (await import('./edit-target')).EditTargetDialog }));

type Test = NonNullable<TargetStatus['lastTest']>;

/** Failures of a test that may disappear without a new URL. */
const transientOutcomes: readonly Test['outcome'][] = ['connection_refused', 'no_answer', 'endpoint_failed'];

/** A target of a stream that is not live, and the result of its last test or session. */
export function IdleTarget(props: StreamTargetProps) {
  const { target, onToggle } = props;
  const t = useTranslations('targets.idleTarget');
  const test = useTestTarget();
  const [isEditing, setEditing] = useState(false);
  const state = checkTarget(target);
  const newerTest = newerTestOf(target);
  const runTest = () => test.mutate({ id: target.id });
  const needsNewUrl =
    newerTest !== null && newerTest.outcome !== 'accepted' && !transientOutcomes.includes(newerTest.outcome);
  const renderButton = (label: string, onClick: () => void): ReactNode => (
    <IfPermitted>
      <Button size="sm" pending={test.isPending} onClick={onClick}>
        {label}
      </Button>
    </IfPermitted>
  );
  const renderAction = () => {
    if (state === 'off') return renderButton(t('enable'), onToggle);
    if (state === 'ready') return null;
    if (needsNewUrl && !test.isPending) return renderButton(t('replaceUrl'), () => setEditing(true));
    return renderButton(t(newerTest || target.reached === false ? 'testAgain' : 'test'), runTest);
  };
  return (
    <>
      <CheckRow
        state={state}
        name={target.name}
        detail={useSentRendition(target)}
        fact={
          <span role="status">
            {test.error ? (
              errorMessagesOf(test.error).map(asSentence).join(' ')
            ) : (
              <TargetFact target={target} test={newerTest} />
            )}
          </span>
        }
        action={
          <>
            {renderAction()}
            <StreamTargetMenu {...props} onTest={runTest} onEdit={() => setEditing(true)} />
          </>
        }
      />
      <Suspense fallback={null}>
        {isEditing && <EditTargetDialog target={target} onClose={() => setEditing(false)} />}
      </Suspense>
    </>
  );
}

/** The last test of a target, if it is newer than the last session. */
const newerTestOf = ({ lastTest, since }: TargetStatus): Test | null =>
  lastTest && lastTest.at > since ? lastTest : null;

interface TargetFactProps {
  target: TargetStatus;
  test: Test | null;
}

/** Result of the last test or, without one, of the last session. */
function TargetFact({ target: { disabled, reached, lastError, since }, test }: TargetFactProps) {
  const t = useTranslations('targets.idleTarget');
  const translateMessage = useTranslateMessage();
  if (disabled) return t('disabled');
  if (test?.outcome === 'accepted') return t.rich('accepted', { time: () => <RelativeTime at={test.at} /> });
  if (test) return asSentence(translateMessage(test.message, test.reason));
  if (reached === true) return t.rich('reached', { time: () => <RelativeTime at={since} /> });
  if (lastError) return asSentence(translateMessage(lastError.message, lastError.reason));
  return t('notTested');
}
