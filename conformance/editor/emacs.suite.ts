/** `svc lsp` in Emacs: eglot, set up as the page says, shows diagnostics, completes, renames and lays out. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect } from 'chai';
import { PROGRAM } from '../cli/program.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../cli/work-directory.ts';
import { describeWhere } from '../left-out.ts';
import { FILES } from './application.ts';

/** Packages of Debian are found once these are set up; user files are not read. */
const EMACS = ['--batch', '-q', '--eval', "(progn (require 'package) (package-initialize))"];
const eglot = spawnSync('emacs', [...EMACS, '--eval', "(require 'eglot)"], { encoding: 'utf8' });
const NEED = { isMet: eglot.status === 0, what: 'emacs with eglot (Debian packages emacs-nox, elpa-eglot)' };

const PAGE = join(import.meta.dirname, '../../docs/guides/editors.md');
/** Connects, waits for a diagnostic, completes at `total`, renames it, mends the text, lays it out, and tells all. */
const SCRIPT = `
(require 'eglot)
(require 'json)
(defun wait-for (test)
  (with-timeout (60 (error "in vain: %S" test))
    (while (not (funcall test)) (accept-process-output nil 0.05))))
(setq eglot-sync-connect 60 eglot-send-changes-idle-time 0.05)
(find-file "main.clj")
(call-interactively #'eglot)
(wait-for (lambda () (flymake-diagnostics)))
(setq said (mapcar (lambda (one) (list (line-number-at-pos (flymake-diagnostic-beg one)) (flymake-diagnostic-text one)))
                   (flymake-diagnostics)))
(goto-char (point-min))
(search-forward "total t")
(setq completions (mapcar #'substring-no-properties (all-completions "" (nth 2 (eglot-completion-at-point)))))
(eglot-rename "all")
(goto-char (point-min))
(search-forward " :more nope")
(replace-match "  ")
(eglot--signal-textDocument/didChange)
(wait-for (lambda () (null (flymake-diagnostics))))
(eglot-format-buffer)
(save-buffer)
(write-region (json-encode (list (cons 'said (vconcat said)) (cons 'completions (vconcat completions)))) nil
  "answers.json")
(eglot-shutdown (eglot-current-server))
`;

describeWhere(NEED, 'svc lsp in Emacs', () => {
  let directory = '';
  beforeEach(() => {
    directory = makeWorkDirectory(FILES);
  });
  afterEach(() => {
    removeWorkDirectory(directory);
  });

  it('shows diagnostics, completes, renames and lays out', () => {
    const setUp = /```elisp\n([^]*?)```/.exec(readFileSync(PAGE, 'utf8'))?.[1];
    if (setUp === undefined) throw new Error('the page has no block of elisp');
    writeFileSync(join(directory, 'init.el'), setUp);
    writeFileSync(join(directory, 'session.el'), SCRIPT);
    const { status, stderr } = spawnSync('emacs', [...EMACS, '-l', 'init.el', '-l', 'session.el'], {
      cwd: directory,
      env: {
        ...process.env,
        PATH: `${dirname(PROGRAM)}${delimiter}${process.env['PATH'] ?? ''}`,
        HOME: directory,
      },
      encoding: 'utf8',
      timeout: 90_000,
    });
    expect(status, stderr.slice(-2000)).to.equal(0);
    const answers: unknown = JSON.parse(readFileSync(join(directory, 'answers.json'), 'utf8'));
    expect(answers).to.have.nested.property('said[0][0]', 5);
    expect(answers).to.have.nested.property('said[0][1]').that.includes('nope');
    expect(answers).to.have.property('completions').that.includes('total');
    expect(readFileSync(join(directory, 'main.clj'), 'utf8')).to.equal(
      '(ns main)\n\n(defn run [input]\n  (let [all (count input)]\n    {:total all}))\n',
    );
  });
});
