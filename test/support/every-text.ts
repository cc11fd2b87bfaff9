// Loads every text, for tests that read pages: a page itself loads the texts of one language at a
// time.
import { loadEveryText } from '../../renderer/locales/catalogue.ts';
import '../../renderer/locales/frame.ts';
import '../../renderer/locales/manager.ts';
import '../../renderer/locales/screens.ts';
import '../../renderer/locales/setup.ts';
import '../../renderer/locales/tokens.ts';

await loadEveryText();
