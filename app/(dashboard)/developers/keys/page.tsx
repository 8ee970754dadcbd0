import type { Metadata } from 'next';
import { requireUser } from '../../require-user';
import { KeysView } from './keys-view';

export const metadata: Metadata = { title: 'API keys' };

export default async function KeysPage() {
  const { email } = await requireUser('/developers/keys');
  return <KeysView email={email} />;
}
