import java.awt.Image;
import java.awt.Toolkit;
import java.awt.datatransfer.Clipboard;
import java.awt.datatransfer.DataFlavor;
import java.awt.datatransfer.StringSelection;
import java.awt.datatransfer.Transferable;
import java.awt.datatransfer.UnsupportedFlavorException;
import java.awt.image.BufferedImage;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import javax.swing.JFrame;
import javax.swing.JTextArea;
import javax.swing.SwingUtilities;

/** AWT's clipboards, and a Swing text area where a person would use one. Reads fields between tabs; see program.py. */
public class Peer {
  static final JTextArea area = new JTextArea(10, 40);

  /** Values of several flavors. */
  record Offer(Map<DataFlavor, Object> values) implements Transferable {
    @Override
    public DataFlavor[] getTransferDataFlavors() {
      return values.keySet().toArray(new DataFlavor[0]);
    }

    @Override
    public boolean isDataFlavorSupported(DataFlavor flavor) {
      return values.containsKey(flavor);
    }

    @Override
    public Object getTransferData(DataFlavor flavor) throws UnsupportedFlavorException {
      Object value = values.get(flavor);
      if (value == null) throw new UnsupportedFlavorException(flavor);
      return value;
    }
  }

  static void copy(String kind, Clipboard board, boolean primary, String text, List<String> values) throws Exception {
    Map<DataFlavor, Object> offer = new LinkedHashMap<>();
    switch (kind) {
      case "files" ->
        offer.put(DataFlavor.javaFileListFlavor, values.stream().map(File::new).toList());
      case "png" -> offer.put(DataFlavor.imageFlavor, ImageIO.read(new File(values.get(0))));
      case "html" -> {
        offer.put(DataFlavor.allHtmlFlavor, Files.readString(Path.of(values.get(0))));
        offer.put(DataFlavor.stringFlavor, text);
      }
      default -> {
        String content = Files.readString(Path.of(values.get(0)));
        if (primary || content.length() > 100_000) {
          board.setContents(new StringSelection(content), null);
        } else {
          area.setText(content);
          area.selectAll();
          area.copy();
        }
        return;
      }
    }
    board.setContents(new Offer(offer), null);
  }

  static String paste(String kind, Clipboard board, boolean isPlain, Path path) throws Exception {
    switch (kind) {
      case "files" -> {
        List<String> names = new ArrayList<>();
        for (Object file : (List<?>) board.getData(DataFlavor.javaFileListFlavor)) names.add(quoted(file.toString()));
        return "{\"files\": [" + String.join(", ", names) + "]}";
      }
      case "png" -> {
        Image image = (Image) board.getData(DataFlavor.imageFlavor);
        BufferedImage copy = new BufferedImage(image.getWidth(null), image.getHeight(null), BufferedImage.TYPE_INT_RGB);
        copy.createGraphics().drawImage(image, 0, 0, null);
        ImageIO.write(copy, "png", path.toFile());
      }
      case "html" -> Files.writeString(path, (String) board.getData(DataFlavor.allHtmlFlavor));
      default -> {
        String content;
        if (isPlain) {
          content = (String) board.getData(DataFlavor.stringFlavor);
        } else {
          area.setText("");
          area.paste();
          content = area.getText();
        }
        Files.write(path, content.getBytes(StandardCharsets.UTF_8));
      }
    }
    return "{\"ok\": true}";
  }

  /** Another program's copy reaches AWT by events: until then it gives back its own. */
  static void awaitLoss(Clipboard board) throws InterruptedException {
    Object own = board == Toolkit.getDefaultToolkit().getSystemSelection() ? ownSelection : ownClipboard;
    long deadline = System.nanoTime() + 3_000_000_000L;
    while (own != null && board.getContents(null) == own && System.nanoTime() < deadline) Thread.sleep(10);
  }

  static Object ownClipboard, ownSelection;

  static String quoted(String text) {
    StringBuilder result = new StringBuilder("\"");
    for (char each : text.toCharArray()) {
      if (each < 32 || each > 126 || each == '"' || each == '\\') result.append(String.format("\\u%04x", (int) each));
      else result.append(each);
    }
    return result.append('"').toString();
  }

  static void handle(String line) {
    try {
      String[] fields = line.split("\t", -1);
      boolean primary = fields[2].equals("PRIMARY");
      Toolkit toolkit = Toolkit.getDefaultToolkit();
      Clipboard board = primary ? toolkit.getSystemSelection() : toolkit.getSystemClipboard();
      List<String> values = Arrays.asList(fields).subList(5, fields.length);
      if (fields[0].equals("copy")) {
        copy(fields[1], board, primary, fields[4], values);
        if (primary) ownSelection = board.getContents(null);
        else ownClipboard = board.getContents(null);
        System.out.println("{\"ok\": true}");
      } else {
        awaitLoss(board);
        System.out.println(paste(fields[1], board, primary || fields[3].equals("large"), Path.of(values.get(0))));
      }
    } catch (Throwable error) {
      error.printStackTrace();
      System.out.println("{\"error\": " + quoted(error.toString()) + "}");
    }
    System.out.flush();
  }

  public static void main(String[] words) throws Exception {
    SwingUtilities.invokeAndWait(() -> {
      JFrame frame = new JFrame("AWT");
      frame.add(area);
      frame.pack();
      frame.setVisible(true);
    });
    System.out.println("{\"ready\": " + quoted(System.getProperty("java.version")) + "}");
    System.out.flush();
    BufferedReader reader = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      String command = line;
      SwingUtilities.invokeAndWait(() -> handle(command));
    }
    System.exit(0);
  }
}
