'use client';

import { KeyRound } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import { CredentialsForm } from '@/components/auth/credentials-form';
import { SecondStepForm } from '@/components/auth/second-step-form';
import { Button } from '@/components/ui/button';
import { FormError } from '@/components/ui/form/field';
import { ApiCallError } from '@/lib/client/call';
import {
  offerPasskeys,
  signInWithPassword,
  signInWithPasskey,
  signInWithCode,
  type SignInRejection,
  type Credentials,
} from '@/lib/client/sign-in';
import { translateMessage } from '@/lib/client/server-messages';
import { lockOutWaitOf } from '@/lib/core/accounts/lock-out';
import type { SecondStep } from '@/lib/core/accounts/sign-in-steps';
import { reasonOfSignIn } from '@/lib/core/reasons/sign-in-reason';

interface LogInFormProps {
  /** Path of the page that opens after the log-in. */
  next: string;
  /** Whether the form offers passkeys, which browsers allow only for some hosts. */
  withPasskeys?: boolean;
  /** Content above and below the form, hidden during the second step. */
  before?: ReactNode;
  children?: ReactNode;
}

/** Rejection of an attempt, and the step at which it is shown. */
interface Failure {
  readonly step: 'password' | 'code' | 'passkey';
  readonly rejection: Exclude<SignInRejection, { readonly steps: unknown }>;
}

/** Form to log in with a password or a passkey, and its second step. */
export function LogInForm({ next, withPasskeys = false, before, children }: LogInFormProps) {
  const t = useTranslations('auth');
  const [isPending, setIsPending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  /** Second steps that the account offers; null during the first step. */
  const [steps, setSteps] = useState<readonly SecondStep[] | null>(null);
  const isSecondStep = steps !== null;

  useEffect(() => {
    if (!withPasskeys || isSecondStep) return;
    return offerPasskeys((rejection) => {
      if (rejection === null) window.location.assign(next);
      else if (!requiresSecondStep(rejection)) setFailure({ step: 'passkey', rejection });
    });
  }, [withPasskeys, isSecondStep, next]);

  /**
   * Waits for the result of one step. Shows its rejection or the second step, or opens the next page.
   * @param rejectionPromise resolves to null if the person is logged in
   */
  async function attempt(
    step: Failure['step'],
    rejectionPromise: Promise<SignInRejection | 'cancelled' | null>,
  ) {
    setIsPending(true);
    setFailure(null);
    const rejection = await rejectionPromise;
    if (rejection === null) {
      window.location.assign(next);
      return;
    }
    if (rejection !== 'cancelled') {
      if (requiresSecondStep(rejection)) setSteps(rejection.steps);
      else setFailure({ step, rejection });
    }
    setIsPending(false);
  }

  const messageOf = ({ step, rejection }: Failure) => {
    if (typeof rejection !== 'string') {
      const reason = reasonOfSignIn(rejection.message);
      const wait = lockOutWaitOf(reason);
      if (!wait) return translateMessage(rejection.message, reason);
      const waitText = t(`wait.${wait.unit}`, { count: wait.count });
      return t(step === 'password' ? 'rejection.lockedOut' : 'rejection.tooMany', { wait: waitText });
    }
    return rejection === 'wrong' && step !== 'password'
      ? t(`secondStep.wrong.${step}`)
      : t(`rejection.${rejection}`);
  };

  const [step, message] = [failure?.step, failure && messageOf(failure)];
  const error = useMemo(
    () =>
      message === null
        ? null
        : new ApiCallError(401, [{ field: step === 'password' ? 'password' : 'code', message }]),
    [step, message],
  );
  if (steps)
    return (
      <SecondStepForm
        steps={steps}
        mutation={{ isPending, error }}
        onCode={(code) => void attempt('code', signInWithCode(code))}
        onPasskey={() => void attempt('passkey', signInWithPasskey({ second: true }))}
        onBack={() => {
          setSteps(null);
          setFailure(null);
        }}
      />
    );
  return (
    <>
      {before}
      <CredentialsForm
        purpose="log-in"
        mutation={{ isPending, error: step === 'password' ? error : null }}
        onSubmit={(credentials: Credentials) => void attempt('password', signInWithPassword(credentials))}
      />
      {withPasskeys && (
        <div className="mt-4 grid gap-4">
          <Button
            size="lg"
            className="w-full"
            pending={isPending}
            onClick={() => void attempt('passkey', signInWithPasskey({}))}
          >
            <KeyRound aria-hidden="true" />
            {t('logIn.passkey')}
          </Button>
          <FormError>{step === 'passkey' && message !== null ? message : undefined}</FormError>
        </div>
      )}
      {children}
    </>
  );
}

const requiresSecondStep = (
  rejection: SignInRejection,
): rejection is { readonly steps: readonly SecondStep[] } =>
  typeof rejection !== 'string' && 'steps' in rejection;
