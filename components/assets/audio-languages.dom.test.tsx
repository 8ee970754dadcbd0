import { screen } from '@testing-library/react';
import { test } from 'vitest';
import { exampleOf, fakeService } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { getAsset } from '@/lib/contract/assets/asset-endpoints';
import { AudioLanguages } from './audio-languages';

fakeService();

test('the played language and the other languages are named', () => {
  const { videoSpec } = exampleOf(getAsset);
  if (!videoSpec) throw new Error('The example has a file');
  const tracks = videoSpec.tracks.map((track) =>
    track.type === 'audio' ? { ...track, language: 'en' } : track,
  );
  renderPage(<AudioLanguages spec={{ ...videoSpec, tracks, otherAudio: [{ language: 'de' }, {}] }} />);
  screen.getByText('Played: English. Also in the file: German, unknown language.');
});
