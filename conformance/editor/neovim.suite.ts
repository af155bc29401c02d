/** `svc lsp` in Neovim: its own client opens a component, shows diagnostics, completes and renames. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { PROGRAM } from '../cli/program.ts';
import { makeWorkDirectory, removeWorkDirectory } from '../cli/work-directory.ts';
import { describeWhere } from '../left-out.ts';
import { FILES } from './application.ts';

const neovim = spawnSync('nvim', ['--version'], { encoding: 'utf8' });
const NEED = { isMet: neovim.status === 0, what: 'nvim (Debian package neovim)' };

/** Attaches the client, waits for a diagnostic, completes at `total`, renames it, lays the text out, and tells all. */
const SCRIPT = `
local answers = {}
local client = vim.lsp.start_client({ name = 'svc', cmd = { vim.env.SVC_PROGRAM, 'lsp' }, root_dir = vim.fn.getcwd() })
vim.cmd('edit main.clj')
vim.bo.filetype = 'clojure'
vim.lsp.buf_attach_client(0, client)
vim.wait(20000, function() return #vim.diagnostic.get(0) > 0 end, 20)
answers.diagnostics = vim.tbl_map(function(one) return { one.lnum, one.col, one.message } end, vim.diagnostic.get(0))
local uri = vim.uri_from_bufnr(0)
local function ask(method, more)
  local asked = vim.tbl_extend('force', { textDocument = { uri = uri }, position = { line = 4, character = 14 } },
    more or {})
  local replies = vim.lsp.buf_request_sync(0, method, asked, 20000)
  return replies[client].result
end
answers.completions = vim.tbl_map(function(one) return one.label end, ask('textDocument/completion').items)
vim.lsp.util.apply_workspace_edit(ask('textDocument/rename', { newName = 'all' }), 'utf-16')
vim.api.nvim_buf_set_lines(0, 4, 5, true, { '{:total   all}))' })
vim.wait(20000, function() return #vim.diagnostic.get(0) == 0 end, 20)
answers.left = #vim.diagnostic.get(0)
vim.lsp.util.apply_text_edits(ask('textDocument/formatting', { options = { tabSize = 2, insertSpaces = true } }), 0,
  'utf-16')
vim.cmd('write')
vim.fn.writefile({ vim.json.encode(answers) }, 'answers.json')
vim.cmd('qall!')
`;

describeWhere(NEED, 'svc lsp in Neovim', () => {
  let directory = '';
  beforeEach(() => {
    directory = makeWorkDirectory(FILES);
  });
  afterEach(() => {
    removeWorkDirectory(directory);
  });

  it('shows diagnostics, completes, renames and lays out', () => {
    writeFileSync(join(directory, 'session.lua'), SCRIPT);
    const { status, stderr } = spawnSync('nvim', ['--headless', '-u', 'NONE', '-n', '-c', 'luafile session.lua'], {
      cwd: directory,
      env: { ...process.env, SVC_PROGRAM: PROGRAM, HOME: directory },
      encoding: 'utf8',
      timeout: 90_000,
    });
    expect(status, stderr).to.equal(0);
    const answers: unknown = JSON.parse(readFileSync(join(directory, 'answers.json'), 'utf8'));
    expect(answers).to.have.nested.property('diagnostics[0][0]', 4);
    expect(answers).to.have.nested.property('diagnostics[0][1]', 24);
    expect(answers).to.have.property('completions').that.includes('total');
    expect(answers).to.have.property('left', 0);
    expect(readFileSync(join(directory, 'main.clj'), 'utf8')).to.equal(
      '(ns main)\n\n(defn run [input]\n  (let [all (count input)]\n    {:total all}))\n',
    );
  });
});
