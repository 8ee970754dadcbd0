import { screen } from '@testing-library/react';
import { test } from 'vitest';
import { exampleOf, setUpFakeService } from '@/components/testing/fake-service';
import { renderPage } from '@/components/testing/render-page';
import { getAsset } from '@/lib/contract/assets/asset-endpoints';
import { AudioLanguages } from './audio-languages';

setUpFakeService();

test('the panel names the played language and the other audio languages of the file', () => {
  const { videoSpec } = exampleOf(getAsset);
  if (!videoSpec) throw new Error('The example has a file');
  const tracks = videoSpec.tracks.map((track) =>
    track.type === 'audio' ? { ...track, language: 'en' } : track,
  );
  renderPage(<AudioLanguages spec={{ ...videoSpec, tracks, otherAudio: [{ language: 'de' }, {}] }} />);
  screen.getByText('Played: English. Also in the file: German, unknown language.');
});
