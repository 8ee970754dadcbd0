'use client';

import { IssuerButton } from '@/components/auth/issuer-button';
import { continueAtIssuer } from '@/lib/client/sign-in';

export function ContinueAtIssuerButton({ name, next }: { name: string; next: string }) {
  return <IssuerButton name={name} onContinue={async () => (await continueAtIssuer(next)) === null} />;
}
