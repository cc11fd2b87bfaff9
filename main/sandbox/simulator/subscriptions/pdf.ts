/**
 * A PDF 1.4 document of one page with plain lines, enough to show that a PDF was made and what it
 * contains.
 */

const linesOnPage = 60;
const charactersInLine = 95;

/** Characters that the font does not have become question marks. */
export function pdfOf(lines: readonly string[]): Uint8Array {
  const pageLines = lines.flatMap(wrapped).slice(0, linesOnPage);
  const text = [
    'BT /F1 10 Tf 12 TL 50 790 Td',
    ...pageLines.map((line) => `(${escaped(line)}) '`),
    'ET',
  ].join('\n');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
  ];
  // The text is Latin-1, so that lengths in characters are offsets in bytes.
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`;
  return Buffer.from(
    `${file}${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`,
    'latin1',
  );
}

/**
 * Escapes the special characters of PDF strings. The Nordic letters have the same codes in Latin-1
 * and WinAnsi.
 */
const escaped = (line: string): string =>
  line.replaceAll(/[^\x20-\x7e\xa0-\xff]/gu, '?').replaceAll(/[\\()]/g, String.raw`\$&`);

const wrapped = (line: string): string[] =>
  line === '' ? [''] : (line.match(new RegExp(`.{1,${charactersInLine}}`, 'gu')) ?? ['']);
