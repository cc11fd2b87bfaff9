// A preload as a window without sandbox could have it.
require('node:fs');
