;;; What a person does with keys, called by name.  -*- lexical-binding: t -*-
(setq inhibit-startup-screen t
      select-enable-primary nil)

(defun peer-read (path)
  (with-temp-buffer
    (let ((coding-system-for-read 'utf-8-unix))
      (insert-file-contents path))
    (buffer-string)))

(defun peer-copy (path primary)
  (let ((text (peer-read path)))
    (if primary
        (gui-set-selection 'PRIMARY text)
      (with-temp-buffer
        (insert text)
        (kill-ring-save (point-min) (point-max)))))
  t)

(defun peer-write (text path coding)
  (unless text (error "Emacs says that nothing is there"))
  (with-temp-buffer
    (set-buffer-multibyte (multibyte-string-p text))
    (insert text)
    (let ((coding-system-for-write coding))
      (write-region (point-min) (point-max) path nil 'silent)))
  t)

;; Emacs takes the bytes of what is not text for Latin-1.
(defun peer-bytes (type)
  (encode-coding-string (or (gui-get-selection 'CLIPBOARD type) (error "Emacs says that nothing is there")) 'latin-1))

(defun peer-paste (path kind primary)
  (cond
   ((equal kind "html")
    (peer-write (peer-bytes 'text/html) path 'no-conversion))
   ((equal kind "png")
    (peer-write (peer-bytes 'image/png) path 'no-conversion))
   (primary
    (peer-write (gui-get-selection 'PRIMARY 'UTF8_STRING) path 'utf-8-unix))
   (t
    (with-temp-buffer
      (yank)
      (peer-write (substring-no-properties (buffer-string)) path 'utf-8-unix)))))

(server-start)
