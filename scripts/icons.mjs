// Draws the icons of the packages from assets/icon.svg: `node scripts/icons.mjs`. electron-builder
// makes the one of macOS from the largest.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { launchChromium } from '../test/support/browser.ts';
import { root } from './build.mjs';
import { readCommand } from './command.mjs';

readCommand({
  call: 'node scripts/icons.mjs',
  does: 'Writes assets/icon.png and assets/icon.ico from assets/icon.svg.',
  options: {},
});

const largest = 1024;
const ofWindows = [16, 24, 32, 48, 64, 128, 256];
const svg = readFileSync(join(root, 'assets/icon.svg'), 'utf8');
const browser = await launchChromium();
const page = await browser.newPage();
const pictures = new Map();
for (const side of [...ofWindows, largest]) {
  await page.setViewportSize({ width: side, height: side });
  await page.setContent(
    `<style>body { margin: 0 } svg { display: block; width: ${side}px; height: ${side}px }</style>${svg}`,
  );
  pictures.set(side, await page.screenshot({ omitBackground: true }));
}
await browser.close();
writeFileSync(join(root, 'assets/icon.png'), pictures.get(largest));
writeFileSync(
  join(root, 'assets/icon.ico'),
  icoOf(ofWindows.map((side) => ({ side, png: pictures.get(side) }))),
);

/** A directory of PNG files, as Windows has read since Vista. */
function icoOf(images) {
  const header = Buffer.alloc(6 + 16 * images.length);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(images.length, 4);
  let offset = header.length;
  images.forEach(({ side, png }, place) => {
    const entry = 6 + 16 * place;
    // 0 stands for 256.
    header.writeUInt8(side % 256, entry);
    header.writeUInt8(side % 256, entry + 1);
    header.writeUInt16LE(1, entry + 4);
    header.writeUInt16LE(32, entry + 6);
    header.writeUInt32LE(png.length, entry + 8);
    header.writeUInt32LE(offset, entry + 12);
    offset += png.length;
  });
  return Buffer.concat([header, ...images.map(({ png }) => png)]);
}
