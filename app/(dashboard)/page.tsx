import type { Metadata } from 'next';
import { HomeView } from './home-view';
import { requireUser } from './require-user';

export const metadata: Metadata = { title: 'Home' };

export default async function HomePage() {
  await requireUser('/');
  return <HomeView />;
}
