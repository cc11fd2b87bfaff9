// A preload that works only in a window without sandbox.
require('node:fs');
